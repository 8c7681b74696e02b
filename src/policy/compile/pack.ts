import { basename, isAbsolute, join } from 'node:path'
import { isObject, type JsonObject } from '../../pattern/index.ts'
import { didYouMean } from '../guess.ts'
import type { Places } from '../places.ts'
import { type PolicyError, problemAt, problemOf } from '../problem.ts'
import { COMMON, common, options as optionsSchema, pack as packSchema } from '../schema/policy.ts'
import { readSource } from '../source.ts'
import { validate } from '../validate.ts'
import type { CompileInput, Files, Unit } from './context.ts'
import { chooseOptions, fillOptions } from './options.ts'

export interface PackGround {
  readonly input: CompileInput
  readonly places: Places
  readonly files: Files
  /** names of the built-in packs, for suggestions */
  readonly builtIn: readonly string[]
  readonly problems: PolicyError[]
  /** the unit of the layer that uses it */
  readonly user: Omit<Unit, 'parts' | 'options'>
}

/** One entry of `use`: the pack, its options filled in, as a unit of the layer that uses it. */
export function usePack(entry: string | JsonObject, list: object, index: number, ground: PackGround): Unit | null {
  const { places, problems, user } = ground
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
    const help = location && !location.builtIn ? `looked for ${location.file}` : didYouMean(written, ground.builtIn)
    return refuse(`unknown pack \`${written}\``, help)
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
  const source = readSource(text, location.file, places)
  problems.push(...source.problems)
  if (!source.root) return null
  const wanted = validate(optionsSchema, isObject(source.root.options) ? source.root.options : {}, {
    file: location.file,
    places,
    what: `the options of pack \`${location.id}\``,
  })
  const choice = validate(common, commonOf(given, places), { file: user.file, places, what: `pack \`${location.id}\`` })
  problems.push(...wanted.problems, ...choice.problems)
  if (wanted.value === null || choice.value === null) return null
  const before = problems.length
  const options = { places, problems, file: user.file, pack: location.id }
  const values = chooseOptions(wanted.value, given, options)
  const filled = fillOptions(withoutOptions(source.root, places), values, { ...options, file: location.file })
  // a name nobody declared would be told again as a wrong value
  if (problems.length > before) return null
  const checked = validate(packSchema, filled, { file: location.file, places, what: 'the pack' })
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
      tailored: Object.keys(wanted.value).some(name => given[name] !== undefined),
      common: choice.value,
      file: user.file,
      folder: user.folder,
    },
  }
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
