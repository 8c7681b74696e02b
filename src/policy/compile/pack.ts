import { basename, isAbsolute, join } from 'node:path'
import { isObject, type Json, type JsonObject } from '../../pattern/index.ts'
import { didYouMean } from '../guess.ts'
import type { Limits } from '../limits.ts'
import type { Places } from '../places.ts'
import { type PolicyError, problemAt, problemOf } from '../problem.ts'
import {
  COMMON,
  common,
  config,
  type OptionDoc,
  options as optionsSchema,
  pack as packSchema,
} from '../schema/policy.ts'
import { readSource } from '../source.ts'
import { validate } from '../validate.ts'
import { NOTHING_CONFIGURED, readConfig } from './config.ts'
import { type CompileInput, type Configured, type Files, label, type Unit } from './context.ts'
import { foreignTo } from './foreign.ts'
import { chooseOptions, fillOptions } from './options.ts'

export interface PackGround {
  readonly input: CompileInput
  readonly places: Places
  readonly files: Files
  /** names of the built-in packs, for suggestions */
  readonly builtIn: readonly string[]
  readonly problems: PolicyError[]
  readonly warnings: PolicyError[]
  readonly limits?: Limits | undefined
  /** a person has trusted the layer: options from a file of the project may loosen */
  readonly trusted: boolean
  /** the unit of the layer that uses it */
  readonly user: Omit<Unit, 'parts' | 'options'>
}

/** One entry of `use`: the pack, its options filled in, as a unit of the layer that uses it. */
export function usePack(entry: string | JsonObject, list: object, index: number, ground: PackGround): Unit | null {
  const { places, problems, user } = ground
  ground.limits?.spend('packs', 1)
  const [written, ...more] = typeof entry === 'string' ? [entry] : Object.keys(entry)
  const given = typeof entry === 'string' ? {} : entry[written ?? '']
  const refuse = (message: string, help?: string): null => {
    const place = places.value(list, index)
    problems.push(place ? problemAt(place, message, { help }) : problemOf(user.file, message, help))
    return null
  }
  if (written === undefined || more.length > 0 || !isObject(given))
    return refuse('each entry of `use` is one pack, or { pack: options }')
  const location = locate(written, ground)
  const text = location && ground.files.read(location.file)
  if (location === null || text === null) {
    const known = didYouMean(written, ground.builtIn) ?? `there are ${ground.builtIn.join(', ')}`
    return refuse(`unknown pack \`${written}\``, location && !location.builtIn ? `looked for ${location.file}` : known)
  }
  const before = problems.length
  const unit = openPack(text, location, given, ground)
  return problems.length > before ? null : unit
}

interface Location {
  readonly id: string
  readonly file: string
  readonly folder: string
  readonly builtIn: boolean
}

function locate(written: string, { input, user }: PackGround): Location | null {
  const isPath = /^(\.\.?|~)?\//.test(written)
  if (!isPath && !/^[a-z0-9][\w-]*$/i.test(written)) return null
  const home = written.startsWith('~/') ? input.home + written.slice(1) : written
  const folder = isPath ? (isAbsolute(home) ? home : join(user.folder, home)) : join(input.packsDir, written)
  return { id: basename(folder), folder, file: join(folder, 'pack.yaml'), builtIn: !isPath }
}

function openPack(text: string, location: Location, given: JsonObject, ground: PackGround): Unit | null {
  const { places, problems, user } = ground
  const source = readSource(text, location.file, places, ground.limits)
  problems.push(...source.problems)
  if (!source.root) return null
  const wanted = validate(optionsSchema, isObject(source.root.options) ? source.root.options : {}, {
    file: location.file,
    places,
    what: `the options of pack \`${location.id}\``,
  })
  problems.push(...wanted.problems)
  if (wanted.value === null) return null
  const configured = configOf(source.root, wanted.value, location, ground)
  const held = heldBack(given, wanted.value, location.id, ground)
  const own = pick(given, places, name => !held.has(name))
  const asked = joined(own, ground.trusted ? configured.all : configured.strict, places)
  const choice = validate(common, commonOf(asked, places), { file: user.file, places, what: `pack \`${location.id}\`` })
  problems.push(...choice.problems)
  if (choice.value === null) return null
  const before = problems.length
  const options = { places, problems, file: user.file, pack: location.id, limits: ground.limits }
  const values = chooseOptions(wanted.value, asked, options)
  const filled = fillOptions(withoutOptions(source.root, places), values, { ...options, file: location.file })
  // a name nobody declared would be told again as a wrong value
  if (problems.length > before) return null
  const checked = validate(packSchema, filled, {
    file: location.file,
    places,
    what: 'the pack',
    foreign: foreignTo(ground.input.clients),
  })
  problems.push(...checked.problems)
  if (checked.value === null) return null
  const { routes, gates, ...rest } = checked.value
  return {
    layer: user.layer,
    prefix: user.prefix,
    file: location.file,
    folder: location.folder,
    // a pack's own routes are a gate named after it, so that two packs and the layer do not share one table
    parts: { ...rest, gates: withRoutes(gates ?? {}, routes, location.id, places, checked.value) },
    options: new Map(
      [...values].map(([name, { value }]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
    ),
    pack: {
      id: location.id,
      builtIn: location.builtIn,
      configured: { ...configured, covers: [...configured.covers, ...held.values()] },
      set: Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, inWords(value)])),
      tailored: Object.keys(wanted.value).some(name => asked[name] !== undefined),
      common: choice.value,
      file: user.file,
      folder: user.folder,
    },
  }
}

/** What a project's policy sets and a person has to trust first: name → what waits. */
function heldBack(
  given: JsonObject,
  declared: Readonly<Record<string, OptionDoc>>,
  pack: string,
  { user, trusted, places, input }: PackGround,
): ReadonlyMap<string, string> {
  if (trusted || (user.layer !== 'project' && user.layer !== 'nested')) return new Map()
  const names = Object.keys(given).filter(name => loosens(declared[name], given[name] ?? null))
  return new Map(
    names.map(name => {
      const line = places.key(given, name)?.line
      const at = line === undefined ? label(user.file, input) : `${label(user.file, input)}:${line}`
      return [name, `option \`${name}\` of pack \`${pack}\` (${at})`]
    }),
  )
}

const loosens = (option: OptionDoc | undefined, value: Json): boolean => {
  if (option?.loosens === undefined) return false
  const isDefault = JSON.stringify(value) === JSON.stringify(option.default)
  return option.loosens === true ? !isDefault : option.loosens.some(one => one === value)
}

const inWords = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

function configOf(
  root: JsonObject,
  declared: Readonly<Record<string, OptionDoc>>,
  { id, file }: Location,
  ground: PackGround,
): Configured {
  if (!isObject(root.config)) return NOTHING_CONFIGURED
  const checked = validate(config, root.config, { file, places: ground.places, what: '`config`' })
  ground.problems.push(...checked.problems)
  return checked.value === null ? NOTHING_CONFIGURED : readConfig(checked.value, declared, id, ground)
}

/** What the layer itself writes wins. */
function joined(given: JsonObject, configured: JsonObject, places: Places): JsonObject {
  const all = pick(given, places, () => true)
  for (const [name, value] of Object.entries(configured)) {
    if (Object.hasOwn(given, name)) continue
    all[name] = value
    const spot = places.spot(configured, name)
    if (spot) places.put(all, name, spot)
  }
  return all
}

type Gates = NonNullable<Unit['parts']['gates']>

function withRoutes(
  gates: Gates,
  routes: Unit['parts']['routes'],
  name: string,
  places: Places,
  holder: object,
): Gates {
  if (!routes) return gates
  const all: Gates = { ...gates, [name]: { ...gates[name], routes } }
  for (const key of Object.keys(all)) {
    const spot = places.spot(gates, key) ?? places.spot(holder, 'routes')
    if (spot) places.put(all, key, spot)
  }
  return all
}

/** What every pack takes, as a mapping of its own that still knows its places. */
function commonOf(given: JsonObject, places: Places): JsonObject {
  return pick(given, places, key => COMMON.some(name => name === key))
}

const withoutOptions = (root: JsonObject, places: Places): JsonObject => pick(root, places, key => key !== 'options')

function pick(from: JsonObject, places: Places, wanted: (key: string) => boolean): JsonObject {
  const to: JsonObject = {}
  const self = places.self(from)
  if (self) places.putSelf(to, self)
  for (const [key, value] of Object.entries(from)) {
    const spot = places.spot(from, key)
    if (wanted(key)) to[key] = value
    if (wanted(key) && spot) places.put(to, key, spot)
  }
  return to
}
