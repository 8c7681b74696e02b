import { basename, isAbsolute, join } from 'node:path'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { fileLabel, type PolicyUnit, type ProjectFileOptions } from '../compile/context.ts'
import { createEventNameHint } from '../compile/warnings/client-event-names.ts'
import { isOwnPolicy } from '../find/layers.ts'
import { policyErrorAt, policyErrorOfFile } from '../parse/policy-error.ts'
import type { SourceMap } from '../parse/source-map.ts'
import { validateDocument } from '../parse/validate.ts'
import { readYamlMapping } from '../parse/yaml-source.ts'
import {
  COMMON_PACK_OPTIONS,
  commonOptionsSchema,
  configSchema,
  type OptionDoc,
  optionsSchema,
  packSchema,
} from '../schema/policy.ts'
import { expandShortForms } from '../short-forms/index.ts'
import { NO_PROJECT_FILE_OPTIONS, readConfigSection } from './config-file-options.ts'
import type { PackContext } from './config-keys.ts'
import { fillOptions, resolveOptions } from './options.ts'

/** Loads one entry of `use`: the pack with its options filled in, as a unit of the layer that uses it. `usedBy`: the pack that names it. */
export function loadPack(
  entry: string | JsonObject,
  list: object,
  index: number,
  context: PackContext,
  usedBy?: PolicyUnit['pack'],
): PolicyUnit | null {
  const { places, problems, user } = context
  context.limits?.spend('packs', 1)
  const [written, ...more] = typeof entry === 'string' ? [entry] : Object.keys(entry)
  const given = typeof entry === 'string' ? {} : entry[written ?? '']
  const refuse = (message: string, help?: string): null => {
    const at = places.value(list, index)
    problems.push(at ? policyErrorAt(at, message, { help }) : policyErrorOfFile(user.file, message, help))
    return null
  }
  if (written === undefined || more.length > 0 || !isObject(given))
    return refuse('each entry of `use` is one pack, or { pack: options }')
  const location = locatePack(written, context)
  const text = location && context.files.read(location.file)
  if (location === null || text === null) {
    const known = didYouMean(written, context.builtIn) ?? `there are ${context.builtIn.join(', ')}`
    return refuse(`unknown pack \`${written}\``, location && !location.builtIn ? `looked for ${location.file}` : known)
  }
  const before = problems.length
  const unit = openPack(text, location, given, context, usedBy)
  return problems.length > before ? null : unit
}

interface PackLocation {
  readonly id: string
  readonly file: string
  readonly folder: string
  readonly builtIn: boolean
}

function locatePack(written: string, { input, user }: PackContext): PackLocation | null {
  const isPath = /^(\.\.?|~)?\//.test(written)
  if (!isPath && !/^[a-z0-9][\w-]*$/i.test(written)) return null
  const home = written.startsWith('~/') ? input.home + written.slice(1) : written
  const folder = isPath ? (isAbsolute(home) ? home : join(user.folder, home)) : join(input.packsDir, written)
  return { id: basename(folder), folder, file: join(folder, 'pack.yaml'), builtIn: !isPath }
}

function openPack(
  text: string,
  location: PackLocation,
  given: JsonObject,
  context: PackContext,
  usedBy: PolicyUnit['pack'],
): PolicyUnit | null {
  const { places, problems, user } = context
  const source = readYamlMapping(text, location.file, places, context.limits)
  problems.push(...source.problems)
  if (!source.root) return null
  const wanted = validateDocument(optionsSchema, isObject(source.root.options) ? source.root.options : {}, {
    file: location.file,
    places,
    what: `the options of pack \`${location.id}\``,
  })
  problems.push(...wanted.problems)
  if (wanted.value === null) return null
  const configured = readPackConfig(source.root, wanted.value, location, context)
  const awaitingTrust = optionsAwaitingTrust(given, wanted.value, location.id, context)
  const own = pickKeys(given, places, name => !awaitingTrust.has(name))
  const merged = mergeOptions(own, context.trusted ? configured.all : configured.strict, places)
  const choice = validateDocument(commonOptionsSchema, pickCommonOptions(merged, places), {
    file: user.file,
    places,
    what: `pack \`${location.id}\``,
  })
  problems.push(...choice.problems)
  if (choice.value === null) return null
  const before = problems.length
  const project = { root: context.input.root, read: (name: string) => context.files.read(name) }
  const options = { places, problems, file: user.file, pack: location.id, limits: context.limits, project }
  const values = resolveOptions(wanted.value, merged, options)
  const filled = fillOptions(omitOptions(source.root, places), values, { ...options, file: location.file })
  // otherwise an undeclared name is reported again as a wrong value
  if (problems.length > before) return null
  const checked = validateDocument(packSchema, filled, {
    file: location.file,
    places,
    what: 'the pack',
    foreign: createEventNameHint(context.input.clients),
  })
  problems.push(...checked.problems)
  if (checked.value === null) return null
  const { routes, gates: _, use, ...rest } = checked.value
  const gates = expandShortForms(checked.value, { places, problems, warnings: context.warnings, file: location.file })
  if (problems.length > before) return null
  return {
    layer: user.layer,
    exposed: user.exposed,
    prefix: user.prefix,
    file: location.file,
    folder: location.folder,
    // a pack's own routes become a gate named after the pack, so that packs and the layer do not share one table
    parts: { ...rest, gates: addRoutesGate(gates ?? {}, routes, location.id, places, checked.value) },
    options: new Map(
      [...values].map(([name, { value }]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
    ),
    pack: {
      id: location.id,
      builtIn: location.builtIn,
      configured: { ...configured, needsTrust: [...configured.needsTrust, ...awaitingTrust.values()] },
      set: Object.fromEntries(Object.entries(merged).map(([name, value]) => [name, formatOptionValue(value)])),
      hasOwnOptions: Object.entries(wanted.value).some(
        ([name, option]) => merged[name] !== undefined || values.get(name)?.value !== option.default,
      ),
      common: choice.value,
      ...(use && { uses: Array.isArray(filled.use) ? filled.use : [] }),
      ...(usedBy && { usedBy }),
      file: user.file,
      folder: user.folder,
    },
  }
}

/** Options of a project's policy that need trust first: name → description for the trust request. */
function optionsAwaitingTrust(
  given: JsonObject,
  declared: Readonly<Record<string, OptionDoc>>,
  pack: string,
  { user, trusted, places, input }: PackContext,
): ReadonlyMap<string, string> {
  if (trusted || isOwnPolicy(user)) return new Map()
  const names = Object.keys(given).filter(name => isLoosening(declared[name], given[name] ?? null))
  return new Map(
    names.map(name => {
      const line = places.key(given, name)?.line
      const at = line === undefined ? fileLabel(user.file, input) : `${fileLabel(user.file, input)}:${line}`
      return [name, `option \`${name}\` of pack \`${pack}\` (${at})`]
    }),
  )
}

const isLoosening = (option: OptionDoc | undefined, value: Json): boolean => {
  if (option?.loosens === undefined) return false
  const isDefault = JSON.stringify(value) === JSON.stringify(option.default)
  return option.loosens === true ? !isDefault : option.loosens.some(loosen => loosen === value)
}

const formatOptionValue = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

function readPackConfig(
  root: JsonObject,
  declared: Readonly<Record<string, OptionDoc>>,
  { id, file }: PackLocation,
  context: PackContext,
): ProjectFileOptions {
  if (!isObject(root.config)) return NO_PROJECT_FILE_OPTIONS
  const checked = validateDocument(configSchema, root.config, { file, places: context.places, what: '`config`' })
  context.problems.push(...checked.problems)
  return checked.value === null ? NO_PROJECT_FILE_OPTIONS : readConfigSection(checked.value, declared, id, context)
}

/** Options written in the layer itself win. */
function mergeOptions(given: JsonObject, configured: JsonObject, sourceMap: SourceMap): JsonObject {
  const all = pickKeys(given, sourceMap, () => true)
  for (const [name, value] of Object.entries(configured)) {
    if (Object.hasOwn(given, name)) continue
    all[name] = value
    const spot = sourceMap.spot(configured, name)
    if (spot) sourceMap.put(all, name, spot)
  }
  return all
}

type PackGates = NonNullable<PolicyUnit['parts']['gates']>

function addRoutesGate(
  gates: PackGates,
  routes: PolicyUnit['parts']['routes'],
  name: string,
  sourceMap: SourceMap,
  holder: object,
): PackGates {
  if (!routes) return gates
  const all: PackGates = { ...gates, [name]: { ...gates[name], routes } }
  for (const key of Object.keys(all)) {
    const spot = sourceMap.spot(gates, key) ?? sourceMap.spot(holder, 'routes')
    if (spot) sourceMap.put(all, key, spot)
  }
  return all
}

/** Picks the options that every pack has, with their source locations. */
function pickCommonOptions(given: JsonObject, sourceMap: SourceMap): JsonObject {
  return pickKeys(given, sourceMap, key => COMMON_PACK_OPTIONS.some(name => name === key))
}

const omitOptions = (root: JsonObject, sourceMap: SourceMap): JsonObject =>
  pickKeys(root, sourceMap, key => key !== 'options')

function pickKeys(from: JsonObject, sourceMap: SourceMap, wanted: (key: string) => boolean): JsonObject {
  const to: JsonObject = {}
  const self = sourceMap.self(from)
  if (self) sourceMap.putSelf(to, self)
  for (const [key, value] of Object.entries(from)) {
    const spot = sourceMap.spot(from, key)
    if (wanted(key)) to[key] = value
    if (wanted(key) && spot) sourceMap.put(to, key, spot)
  }
  return to
}
