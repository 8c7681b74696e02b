import { createHash } from 'node:crypto'
import { dirname, join, relative } from 'node:path'
import { isObject } from '../../lib/json.ts'
import { exposureAmong } from '../find/exposed-file.ts'
import { isLimitedLayer } from '../find/layers.ts'
import type { ProjectLimits } from '../limits.ts'
import type { PackContext } from '../packs/config-keys.ts'
import { loadUsedPacks } from '../packs/used-packs.ts'
import type { PolicyError } from '../parse/policy-error.ts'
import { SourceMap } from '../parse/source-map.ts'
import { validateDocument } from '../parse/validate.ts'
import { readYamlMapping } from '../parse/yaml-source.ts'
import { type PolicyDoc, policySchema } from '../schema/policy.ts'
import { expandShortForms } from '../short-forms/index.ts'
import { attemptCompile, type LayerVersion } from './attempt.ts'
import { type CompileInput, type CompileNotes, createNotes, type PolicyUnit, toList } from './context.ts'
import { withFileLimit } from './files.ts'
import { createEventNameHint } from './warnings/client-event-names.ts'

/** A layer that has been read: its document and the packs it uses. */
export interface PreparedLayer {
  readonly version: LayerVersion
  readonly places: SourceMap
  readonly notes: CompileNotes
  /** absent if the document itself is broken */
  readonly doc?: PolicyDoc
  readonly own?: PolicyUnit
  /** packs first, then the layer's own unit */
  readonly units: readonly PolicyUnit[]
  /** `units` with all options that project files set, for a trusted layer */
  readonly loosened?: readonly PolicyUnit[]
  /** hash of the document and of everything it runs or that loosens it */
  readonly trustHash: string
  /** files it runs: code gates, and scripts of `hooks` and workflows */
  readonly scripts: readonly string[]
  /** files and folders it consists of besides its document: its own packs, imported lists */
  readonly sources: readonly string[]
}

export function prepareLayer(
  given: LayerVersion,
  input: CompileInput,
  builtIn: readonly string[],
  limits: ProjectLimits,
): PreparedLayer {
  const notes = createNotes(isLimitedLayer(given.layer) ? limits : undefined)
  const version = notes.limits ? { ...given, files: withFileLimit(given.files, notes.limits) } : given
  const broken: UnreadLayer = {
    version,
    places: new SourceMap(),
    notes,
    units: [],
    trustHash: '',
    scripts: [],
    sources: [],
  }
  return attemptCompile(broken, input, broken, () => readLayerDocument(broken, input, builtIn))
}

/** A layer before its document is read. */
type UnreadLayer = Omit<PreparedLayer, 'doc' | 'own' | 'loosened'>

function readLayerDocument(broken: UnreadLayer, input: CompileInput, builtIn: readonly string[]): PreparedLayer {
  const { version, places, notes } = broken
  const { file, text, layer, files, exposed } = version
  const { limits } = notes
  limits?.spend('policies', 1)
  limits?.spend('characters', text.length)
  const source = readYamlMapping(text, file, places, limits)
  notes.problems.push(...source.problems)
  if (!source.root) return broken
  // `gates:` with everything under it commented out is not an error
  for (const [key, value] of Object.entries(source.root)) if (value === null) delete source.root[key]
  const checked = validateDocument(policySchema, source.root, {
    file,
    places,
    what: 'the policy',
    foreign: createEventNameHint(input.clients),
  })
  notes.problems.push(...checked.problems)
  const user = { layer, prefix: gatePrefixOf(version, input.root), file, folder: dirname(file), exposed }
  const base = { input, places, files, builtIn, user, limits }
  const use = isObject(source.root) && Array.isArray(source.root.use) ? source.root.use : []
  const packs = (into: Pick<PackContext, 'problems' | 'warnings'>, trusted: boolean): readonly PolicyUnit[] =>
    loadUsedPacks(use, { ...base, ...into, trusted })
  if (checked.value === null) {
    // report errors in its packs now too, but not twice
    const found: PolicyError[] = []
    packs({ problems: found, warnings: [] }, false)
    notes.problems.push(...found.filter(error => !checked.problems.some(known => isSameLine(error, known))))
    return broken
  }
  const doc = checked.value
  const gates = expandShortForms(doc, { places, problems: notes.problems, warnings: notes.warnings, file })
  const parts = gates === undefined || gates === doc.gates ? doc : { ...doc, gates }
  if (parts !== doc) places.copy(doc, parts)
  const own: PolicyUnit = { ...user, parts, options: new Map() }
  const units = [...packs(notes, false), own]
  const waiting = units.flatMap(unit => unit.pack?.configured.needsTrust ?? [])
  notes.needsTrust.push(...waiting)
  const scripts = [...units.flatMap(unit => scriptsIn(unit, input)), ...workflowScriptsIn(doc, own.folder, input)]
  const sources = units.flatMap(unit => importedFilesOf(unit, input))
  const others = isLimitedLayer(layer) ? undefined : exposureAmong([...scripts, ...sources])
  return {
    version: exposed === undefined && others !== undefined ? { ...version, exposed: others } : version,
    places,
    notes,
    doc,
    own,
    units,
    ...(waiting.length > 0 && { loosened: [...packs({ problems: notes.problems, warnings: [] }, true), own] }),
    scripts,
    sources,
    trustHash: computeTrustHash(version, units, scripts, input),
  }
}

const isSameLine = (one: PolicyError, other: PolicyError): boolean => one.file === other.file && one.line === other.line

/** The layer as it is in force: if it is trusted, its loosening options count. */
export const asTrusted = (layer: PreparedLayer, trusted: boolean): PreparedLayer =>
  trusted && layer.loosened ? { ...layer, units: layer.loosened } : layer

/** Gates of nested policies are prefixed with their folder, because several nested policies can apply at once. */
function gatePrefixOf({ layer, file }: LayerVersion, root: string): string {
  if (layer !== 'nested') return layer
  return `nested/${relative(root, dirname(file)).replace(/[^\w/-]/g, '_')}`
}

/** Hashes the document, the content of everything it runs, and every list it imports. */
function computeTrustHash(
  { file, text, files }: LayerVersion,
  units: readonly PolicyUnit[],
  scripts: readonly string[],
  { home }: CompileInput,
): string {
  const hash = createHash('sha256').update(`${file}\0${text}`)
  const referred = units
    .filter(unit => !unit.pack?.builtIn)
    .flatMap(unit => [
      ...(unit.pack ? [unit.file] : []),
      ...[...toList(unit.parts.allow?.from), ...routeFilesOf(unit)].map(name => resolvePath(name, unit.folder, home)),
    ])
  for (const name of [...new Set([...referred, ...scripts])].sort())
    hash.update(`\0${name}\0${files.read(name) ?? '\0missing'}`)
  for (const { pack } of units)
    if (Object.keys(pack?.configured.all ?? {}).length > 0) hash.update(`\0${JSON.stringify(pack?.configured.all)}`)
  return hash.digest('hex')
}

/** Route files that can contain `allow` routes: YAML files. The seed's JSON format has no `allow`. */
const routeFilesOf = ({ parts }: PolicyUnit): readonly string[] =>
  routeTablesOf(parts)
    .flatMap(table => toList(table?.from))
    .filter(name => /\.ya?ml$/i.test(name))

const routeTablesOf = (parts: PolicyUnit['parts']) => [
  parts.routes,
  ...Object.values(parts.gates ?? {}).map(gate => gate.routes),
]

function importedFilesOf({ pack, parts, folder }: PolicyUnit, { home }: CompileInput): readonly string[] {
  if (pack?.builtIn) return []
  const lists = [parts.allow?.from, ...routeTablesOf(parts).map(table => table?.from)].flatMap(from => toList(from))
  return [...lists.map(name => resolvePath(name, folder, home)), ...(pack ? [`${folder}/`] : [])]
}

function scriptsIn({ pack, parts, folder }: PolicyUnit, input: CompileInput): readonly string[] {
  if (pack?.builtIn) return []
  const code = Object.values(parts.gates ?? {}).flatMap(gate => gate.code ?? [])
  return [
    ...code.map(name => resolvePath(name, folder, input.home)),
    ...(parts.hooks ?? []).flatMap(hook => scriptsInLine(hook.run, folder, input)),
  ]
}

/** Scripts that `until.run` starts: `./check.sh`, `bash scripts/check.sh`. Files passed to a script (a test, say) may change. */
function workflowScriptsIn(
  { workflows = {} }: PolicyDoc,
  folder: string,
  { root, home }: CompileInput,
): readonly string[] {
  const lines = Object.values(workflows).flatMap(({ steps }) => steps.flatMap(step => step.repeat?.until.run ?? []))
  return lines
    .flatMap(
      line =>
        line
          .trim()
          .split(/\s+/)
          .slice(0, 2)
          .find(word => word.includes('/') && !word.startsWith('-')) ?? [],
    )
    .map(word => resolvePath(word, folder, home))
    .filter(file => file.startsWith(`${root}/`))
}

const resolvePath = (name: string, folder: string, home: string): string =>
  name.startsWith('~/') ? home + name.slice(1) : name.startsWith('/') ? name : join(folder, name)

/** Every word of the line that could be a project file: `node scripts/x.mjs` runs the second word. */
function scriptsInLine(line: string, folder: string, { root, home }: CompileInput): readonly string[] {
  return line
    .split(/[\s'"=;&|()<>]+/)
    .filter(word => word !== '' && !word.startsWith('-'))
    .map(word => resolvePath(word, folder, home))
    .filter(file => file.startsWith(`${root}/`))
}
