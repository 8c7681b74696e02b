import { didYouMean } from '../../lib/did-you-mean.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { BUILT_IN_SETS, parseSetName } from '../compile/values/value.ts'
import type { ProjectLimits } from '../limits.ts'
import { type PolicyError, policyErrorAt, policyErrorOfFile, type SourceLocation } from '../parse/policy-error.ts'
import type { SourceMap } from '../parse/source-map.ts'
import { COMMON_PACK_OPTIONS, type OptionDoc } from '../schema/policy.ts'
import { defaultIn, type ProjectFiles } from './detected-default.ts'

/** A value and its source location: `holder[key]`. */
interface OptionValue {
  readonly value: Json
  readonly holder: object
  readonly key: string
}

export type OptionValues = ReadonlyMap<string, OptionValue>

interface OptionContext {
  readonly places: SourceMap
  readonly problems: PolicyError[]
  readonly file: string
  readonly pack: string
  readonly limits?: ProjectLimits | undefined
  /** the project that the defaults are for */
  readonly project: ProjectFiles
}

/** Returns the given value of each option, or its default. `given` is the mapping under the pack's name in `use`. */
export function resolveOptions(
  declared: Readonly<Record<string, OptionDoc>>,
  given: JsonObject,
  context: OptionContext,
): OptionValues {
  const values = new Map<string, OptionValue>()
  for (const [name, option] of Object.entries(declared)) {
    const written = given[name]
    if (written === undefined)
      values.set(name, { value: defaultIn(context.project, option), holder: option, key: 'default' })
    else values.set(name, { value: acceptOrReport(name, option, written, given, context), holder: given, key: name })
  }
  const known = [...Object.keys(declared), ...COMMON_PACK_OPTIONS]
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    const message = `unknown option \`${name}\` of pack \`${context.pack}\``
    reportOptionError(context, given, name, message, didYouMean(name, known), known)
  }
  return values
}

function acceptOrReport(name: string, option: OptionDoc, value: Json, given: JsonObject, context: OptionContext): Json {
  if (acceptsOption(option, value)) return Array.isArray(option.default) && !Array.isArray(value) ? [value] : value
  const { one } = option
  const help = one && typeof value === 'string' ? didYouMean(value, one.map(String)) : undefined
  reportOptionError(
    context,
    given,
    name,
    `option \`${name}\` of pack \`${context.pack}\` must be ${describeOptionType(option)}`,
    help,
  )
  return option.default
}

/** Whether the option can have this value. A list option also accepts a single value of the type of its default's items. */
export function acceptsOption({ one, default: usual }: OptionDoc, value: Json): boolean {
  if (one) return one.some(choice => choice === value)
  if (!Array.isArray(usual)) return !Array.isArray(value) && typeof value === typeof usual
  const [first] = usual
  return (Array.isArray(value) ? value : [value]).every(item =>
    first === undefined ? item !== null && typeof item !== 'object' : typeof item === typeof first,
  )
}

function describeOptionType({ one, default: usual }: OptionDoc): string {
  if (one) return one.join(' or ')
  if (Array.isArray(usual)) return usual[0] === undefined ? 'a list' : `${describeValueType(usual[0])} or a list`
  return describeValueType(usual)
}

const describeValueType = (value: Json): string =>
  typeof value === 'boolean' ? 'true or false' : `a ${typeof value === 'string' ? 'text' : 'number'}`

function reportOptionError(
  { places, problems, file }: OptionContext,
  holder: object,
  key: string,
  message: string,
  help?: string,
  keys?: readonly string[],
): void {
  const location = places.key(holder, key)
  problems.push(location ? policyErrorAt(location, message, { help, keys }) : policyErrorOfFile(file, message, help))
}

/** Replaces every `$name` in the pack and leaves out parts whose `if` does not hold. Source locations follow the values. */
export function fillOptions(root: JsonObject, values: OptionValues, context: OptionContext): JsonObject {
  return new OptionFiller(values, context).mapping(root, [])
}

class OptionFiller {
  constructor(
    readonly values: OptionValues,
    readonly context: OptionContext,
  ) {}

  mapping(from: JsonObject, path: readonly string[]): JsonObject {
    const { places } = this.context
    const to: JsonObject = {}
    this.#stay(from, to)
    for (const [key, value] of Object.entries(from)) {
      if (key === 'if' && canHaveIf(path)) continue
      if (isObject(value) && canHaveIf([...path, key]) && !this.#holds(value)) continue
      const spot = places.spot(from, key)
      const source = this.#given(from, key, value)
      const filled = source ? this.#copy(source) : this.#inner(value, [...path, key])
      // no short form of the list applies; an empty list in a policy is an error
      if (path.length === 0 && Array.isArray(filled) && filled.length === 0 && canHaveIf([key, '*'])) continue
      to[key] = filled
      if (spot)
        places.put(to, key, { key: spot.key, value: (source && places.value(source.holder, source.key)) ?? spot.value })
    }
    return to
  }

  #list(from: readonly Json[], path: readonly string[]): Json[] {
    const { places, limits } = this.context
    const to: Json[] = []
    this.#stay(from, to)
    for (const [index, value] of from.entries()) {
      if (isObject(value) && canHaveIf([...path, '*']) && !this.#holds(value)) continue
      const source = this.#given(from, index, value)
      const location = (source && places.value(source.holder, source.key)) ?? places.value(from, index)
      const added = source
        ? Array.isArray(source.value)
          ? source.value
          : [source.value]
        : [this.#inner(value, [...path, '*'])]
      limits?.spend('values', added.length)
      for (const item of added) {
        to.push(item)
        if (location) places.put(to, to.length - 1, { key: location, value: location })
      }
    }
    return to
  }

  #inner(value: Json, path: readonly string[]): Json {
    if (Array.isArray(value)) return this.#list(value, path)
    return isObject(value) ? this.mapping(value, path) : value
  }

  /** Copies a list: the source map is keyed by object, so two parts must not share one. The copy keeps the original locations. */
  #copy({ value, holder, key }: OptionValue): Json {
    if (!Array.isArray(value)) return value
    const { places, limits } = this.context
    limits?.spend('values', value.length)
    const to = [...value]
    for (const index of to.keys()) {
      const location = places.value(value, index) ?? places.value(holder, key)
      if (location) places.put(to, index, { key: location, value: location })
    }
    return to
  }

  #stay(from: object, to: object): void {
    const location = this.context.places.self(from)
    if (location) this.context.places.putSelf(to, location)
  }

  #given(holder: object, key: string | number, value: Json): OptionValue | undefined {
    const name = typeof value === 'string' ? parseSetName(value) : undefined
    if (name === undefined) return undefined
    const found = this.values.get(name)
    if (!found && !BUILT_IN_SETS.includes(name)) this.#refuse(name, this.context.places.value(holder, key))
    return found
  }

  #refuse(name: string, location: SourceLocation | undefined): void {
    const known = [...this.values.keys(), ...BUILT_IN_SETS].map(text => `$${text}`)
    const message = `unknown option \`$${name}\` in pack \`${this.context.pack}\``
    const help = didYouMean(`$${name}`, known)
    this.context.problems.push(
      location ? policyErrorAt(location, message, { help }) : policyErrorOfFile(this.context.file, message, help),
    )
  }

  /** `if: { per: prompt }`: every named option must have the given value, or one of the given values. */
  #holds(part: JsonObject): boolean {
    const condition = part.if
    if (!isObject(condition)) return true
    return Object.entries(condition).every(([name, wanted]) => {
      const found = this.values.get(name)
      if (!found) this.#refuse(name, this.context.places.key(condition, name))
      const actual: readonly Json[] = Array.isArray(found?.value) ? found.value : [found?.value ?? null]
      return (Array.isArray(wanted) ? wanted : [wanted]).some(value =>
        value === '*' ? isSet(actual) : actual.includes(value),
      )
    })
  }
}

/** `if: { lint: "*" }`: the option is on, or names something. */
const isSet = (values: readonly Json[]): boolean =>
  values.some(value => value !== '' && value !== 0 && value !== false && value !== null)

const WITH_IF = ['gates', 'routes', 'hooks', 'exports', 'require', 'protect', 'limit', 'only']

/** Gates, short forms, routes, rules, transitions, hooks and exports can have an `if`. */
function canHaveIf(path: readonly string[]): boolean {
  const [first, , third] = path
  if (path.length === 2) return WITH_IF.includes(first ?? '')
  return path.length === 4 && first === 'gates' && ['rules', 'transitions', 'routes'].includes(third ?? '')
}
