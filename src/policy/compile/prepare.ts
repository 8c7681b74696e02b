import { createHash } from 'node:crypto'
import { dirname, join, relative } from 'node:path'
import { isObject, type Layer } from '../../pattern/index.ts'
import { isLimited, type Limits } from '../limits.ts'
import { Places } from '../places.ts'
import type { PolicyError } from '../problem.ts'
import { type PolicyDoc, policy } from '../schema/policy.ts'
import { readSource } from '../source.ts'
import { validate } from '../validate.ts'
import { attempt } from './attempt.ts'
import { type CompileInput, type Files, listOf, type Notes, newNotes, type Unit } from './context.ts'
import { countedFiles } from './files.ts'
import { foreignTo } from './foreign.ts'
import { type PackGround, usePack } from './pack.ts'

/** One version of a layer's file, with the files it refers to. */
export interface Version {
  readonly layer: Layer
  readonly file: string
  readonly text: string
  readonly files: Files
}

/** A layer that could be read: its document, and the packs it uses. */
export interface Prepared {
  readonly version: Version
  readonly places: Places
  readonly notes: Notes
  /** absent when the document itself is broken */
  readonly doc?: PolicyDoc
  readonly own?: Unit
  /** packs first, then its own */
  readonly units: readonly Unit[]
  /** the same with every option that a file of the project sets, for a layer that is trusted */
  readonly loosened?: readonly Unit[]
  /** of the document and of what it runs or lets loosen */
  readonly trustHash: string
  /** files it runs: code gates, and what `hooks` name */
  readonly scripts: readonly string[]
  /** files and folders it is made of beside its document: packs of its own, imported lists */
  readonly sources: readonly string[]
}

export function prepare(given: Version, input: CompileInput, builtIn: readonly string[], limits: Limits): Prepared {
  const notes = newNotes(isLimited(given.layer) ? limits : undefined)
  const version = notes.limits ? { ...given, files: countedFiles(given.files, notes.limits) } : given
  const broken: Broken = { version, places: new Places(), notes, units: [], trustHash: '', scripts: [], sources: [] }
  return attempt(broken, input, broken, () => read(broken, input, builtIn))
}

/** Before anything of it is known. */
type Broken = Omit<Prepared, 'doc' | 'own' | 'loosened'>

function read(broken: Broken, input: CompileInput, builtIn: readonly string[]): Prepared {
  const { version, places, notes } = broken
  const { file, text, layer, files } = version
  const { limits } = notes
  limits?.spend('policies', 1)
  limits?.spend('characters', text.length)
  const source = readSource(text, file, places, limits)
  notes.problems.push(...source.problems)
  if (!source.root) return broken
  // `gates:` with everything under it commented out is no mistake
  for (const [key, value] of Object.entries(source.root)) if (value === null) delete source.root[key]
  const checked = validate(policy, source.root, { file, places, what: 'the policy', foreign: foreignTo(input.clients) })
  notes.problems.push(...checked.problems)
  const user = { layer, prefix: prefixOf(version, input.root), file, folder: dirname(file) }
  const ground = { input, places, files, builtIn, user, limits }
  const use = isObject(source.root) && Array.isArray(source.root.use) ? source.root.use : []
  const packs = (into: Pick<PackGround, 'problems' | 'warnings'>, trusted: boolean): readonly Unit[] =>
    use.flatMap((entry, index) =>
      typeof entry === 'string' || isObject(entry)
        ? (usePack(entry, use, index, { ...ground, ...into, trusted }) ?? [])
        : [],
    )
  if (checked.value === null) {
    // what is wrong with its packs is worth knowing at once, but not twice
    const found: PolicyError[] = []
    packs({ problems: found, warnings: [] }, false)
    notes.problems.push(...found.filter(one => !checked.problems.some(told => isSamePlace(one, told))))
    return broken
  }
  const doc = checked.value
  const own: Unit = { ...user, parts: doc, options: new Map() }
  const units = [...packs(notes, false), own]
  const waiting = units.flatMap(unit => unit.pack?.configured.covers ?? [])
  notes.covers.push(...waiting)
  const scripts = [...units.flatMap(unit => scriptsIn(unit, input)), ...checksIn(doc, own.folder, input)]
  return {
    version,
    places,
    notes,
    doc,
    own,
    units,
    ...(waiting.length > 0 && { loosened: [...packs({ problems: notes.problems, warnings: [] }, true), own] }),
    scripts,
    sources: units.flatMap(unit => sourcesOf(unit, input)),
    trustHash: trustHash(version, units, scripts, input),
  }
}

const isSamePlace = (one: PolicyError, other: PolicyError): boolean =>
  one.file === other.file && one.line === other.line

/** As it is in force: options that loosen count in a layer that is trusted. */
export const inForce = (layer: Prepared, trusted: boolean): Prepared =>
  trusted && layer.loosened ? { ...layer, units: layer.loosened } : layer

/** Nested policies are told apart by their folder: several may apply at once. */
function prefixOf({ layer, file }: Version, root: string): string {
  if (layer !== 'nested') return layer
  return `nested/${relative(root, dirname(file)).replace(/[^\w/-]/g, '_')}`
}

/** Over the document and the content of everything it runs, and of every list it imports. */
function trustHash(
  { file, text, files }: Version,
  units: readonly Unit[],
  scripts: readonly string[],
  { home }: CompileInput,
): string {
  const hash = createHash('sha256').update(`${file}\0${text}`)
  const referred = units
    .filter(unit => !unit.pack?.builtIn)
    .flatMap(unit => [
      ...(unit.pack ? [unit.file] : []),
      ...[...listOf(unit.parts.allow?.from), ...routeFiles(unit)].map(name => pathOf(name, unit.folder, home)),
    ])
  for (const one of [...new Set([...referred, ...scripts])].sort())
    hash.update(`\0${one}\0${files.read(one) ?? '\0missing'}`)
  for (const { pack } of units)
    if (Object.keys(pack?.configured.all ?? {}).length > 0) hash.update(`\0${JSON.stringify(pack?.configured.all)}`)
  return hash.digest('hex')
}

/** Files of routes that may let through: in the seed's format none can. */
const routeFiles = ({ parts }: Unit): readonly string[] =>
  tablesOf(parts)
    .flatMap(table => listOf(table?.from))
    .filter(name => /\.ya?ml$/i.test(name))

const tablesOf = (parts: Unit['parts']) => [parts.routes, ...Object.values(parts.gates ?? {}).map(gate => gate.routes)]

function sourcesOf({ pack, parts, folder }: Unit, { home }: CompileInput): readonly string[] {
  if (pack?.builtIn) return []
  const lists = [parts.allow?.from, ...tablesOf(parts).map(table => table?.from)].flatMap(from => listOf(from))
  return [...lists.map(name => pathOf(name, folder, home)), ...(pack ? [`${folder}/`] : [])]
}

function scriptsIn({ pack, parts, folder }: Unit, input: CompileInput): readonly string[] {
  if (pack?.builtIn) return []
  const code = Object.values(parts.gates ?? {}).flatMap(gate => gate.code ?? [])
  return [
    ...code.map(name => pathOf(name, folder, input.home)),
    ...(parts.hooks ?? []).flatMap(hook => scriptsOf(hook.run, folder, input)),
  ]
}

/** The file that a step's `until` runs: `./check.sh`, `bash scripts/check.sh`. What it is given (a test, say) may change. */
function checksIn({ workflows = {} }: PolicyDoc, folder: string, { root, home }: CompileInput): readonly string[] {
  const lines = Object.values(workflows).flatMap(({ steps }) => steps.flatMap(one => one.repeat?.until.run ?? []))
  return lines
    .flatMap(
      line =>
        line
          .trim()
          .split(/\s+/)
          .slice(0, 2)
          .find(word => word.includes('/') && !word.startsWith('-')) ?? [],
    )
    .map(word => pathOf(word, folder, home))
    .filter(file => file.startsWith(`${root}/`))
}

const pathOf = (name: string, folder: string, home: string): string =>
  name.startsWith('~/') ? home + name.slice(1) : name.startsWith('/') ? name : join(folder, name)

/** Every word of the line that could be a file of the project: `node scripts/x.mjs` runs the second. */
function scriptsOf(line: string, folder: string, { root, home }: CompileInput): readonly string[] {
  return line
    .split(/[\s'"=;&|()<>]+/)
    .filter(word => word !== '' && !word.startsWith('-'))
    .map(word => pathOf(word, folder, home))
    .filter(file => file.startsWith(`${root}/`))
}
