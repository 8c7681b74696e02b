import type { Gate, Program, Transition } from '../core/index.ts'
import { isObject, type Json, type JsonObject, problemsWith, type Regex } from '../pattern/index.ts'
import { atomsOfProgram } from './atom.ts'
import { type FieldAsked, FRESH_TEXTS, kindOf, valuesOf } from './field-values.ts'
import { oneOfEach } from './likeness.ts'
import { filledIn, namesIn } from './meter.ts'

/** What is known of the policy, and told of fields of which not every kind of value is tried. */
export interface Sampling {
  readonly program: Program
  readonly regex: Regex
  /** whom a capture may name, the fresh one last */
  readonly agents: readonly string[]
  leaveOut(field: string): void
}

interface Field {
  readonly path: readonly string[]
  readonly values: readonly (Json | undefined)[]
}

/** Beyond these, each value only besides the plainest of the other fields. */
const MOST_ANSWERS = 32

/** Answers an agent may give where one is captured: as short as its schema takes, and with each value the policy tells apart. */
export function samplesFor(gate: Gate, capture: NonNullable<Transition['capture']>, given: Sampling): readonly Json[] {
  const { name, schema } = capture
  const plain = sampleOf(schema)
  const whole = `${gate.id}.${name}`
  const names = [...new Set(namesIn(given.program))].filter(one => one === whole || one.startsWith(`${whole}.`))
  const fields = names.map((field): Field => {
    const path = field === whole ? [] : field.slice(whole.length + 1).split('.')
    const asked = askedOf(field, given)
    const { values, isVague } = valuesOf(partAt(schema, path), asked)
    if (isVague) given.leaveOut(field)
    const more = isRequired(schema, path) ? values : [undefined, ...values]
    return { path, values: oneOfEach(more, one => kindOf(one, asked)) }
  })
  const ways = fields.reduce((all, one) => all * one.values.length, 1)
  if (ways > MOST_ANSWERS && fields.length > 1) for (const field of names) given.leaveOut(field)
  const settings = ways > MOST_ANSWERS ? oneByOne(fields) : together(fields)
  const all = settings.map(setting => setting.reduce((value, one) => withField(value, one.path, one.value), plain))
  const valid = (fields.length > 0 ? all : [plain]).filter(one => problemsWith(one, schema).length === 0)
  return [...new Map(valid.map(one => [JSON.stringify(one), one])).values()]
}

interface Setting {
  readonly path: readonly string[]
  readonly value: Json | undefined
}

const together = (fields: readonly Field[]): readonly (readonly Setting[])[] =>
  fields.reduce<readonly (readonly Setting[])[]>(
    (ways, { path, values }) => ways.flatMap(way => values.map(value => [...way, { path, value }])),
    [[]],
  )

const oneByOne = (fields: readonly Field[]): readonly (readonly Setting[])[] => [
  ...fields.flatMap(({ path, values }) => values.map(value => [{ path, value }])),
  ...[0, 1].map(nth => fields.map(({ path, values }) => ({ path, value: values.at(nth) ?? values[0] }))),
]

function askedOf(field: string, { program, regex, agents }: Sampling): FieldAsked {
  const patterns = atomsOfProgram(program).flatMap(atom =>
    atom.key === 'captured' ? atom.fields.filter(one => one.field === field).flatMap(one => one.in) : [],
  )
  const isFilled = filledIn(program).includes(field)
  return { patterns, regex, ...(isFilled && { names: agents }) }
}

const partsOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {})

function partAt(schema: JsonObject, path: readonly string[]): JsonObject {
  return path.reduce<JsonObject>((at, key) => {
    const part = partsOf(at)[key]
    return isObject(part) ? part : {}
  }, schema)
}

const requiredOf = ({ required }: JsonObject): readonly string[] =>
  Array.isArray(required) ? required.map(String) : []

const isRequired = (schema: JsonObject, path: readonly string[]): boolean =>
  path.every((key, at) => requiredOf(partAt(schema, path.slice(0, at))).includes(key))

/** What a schema has against the plainest answer that is made for it: there, none can be right. */
export const problemsOfPlainest = (schema: JsonObject): readonly string[] => problemsWith(sampleOf(schema), schema)

function sampleOf(schema: JsonObject): Json {
  const choices = schema.enum
  if (Array.isArray(choices)) return choices[0] ?? null
  const [type] = [schema.type].flat()
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') return typeof schema.minimum === 'number' ? schema.minimum : 0
  if (type === 'array') return []
  if (type === 'null') return null
  const [fresh = ''] = FRESH_TEXTS
  if (type === 'string') return fresh.repeat(Math.max(1, Math.ceil(Number(schema.minLength ?? 1) / fresh.length)))
  return Object.fromEntries(
    requiredOf(schema).map(key => {
      const part = partsOf(schema)[key]
      return [key, isObject(part) ? sampleOf(part) : fresh]
    }),
  )
}

function withField(given: Json, [head, ...rest]: readonly string[], value: Json | undefined): Json {
  if (head === undefined) return value ?? given
  const base = isObject(given) ? given : {}
  if (rest.length > 0) return { ...base, [head]: withField(base[head] ?? {}, rest, value) }
  const { [head]: _, ...others } = base
  return value === undefined ? others : { ...others, [head]: value }
}
