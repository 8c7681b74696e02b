import type { Gate, Program, Regex, Transition } from '../../../../engine/index.ts'
import { isObject, type Json, type JsonObject } from '../../../../lib/json.ts'
import { shapeErrors } from '../../../../lib/json-shape.ts'
import { atomsOfProgram } from '../condition-atoms.ts'
import { representativesOf } from '../equivalence-classes.ts'
import { capturesInTemplates, referencedCaptures } from '../state-abstraction.ts'
import { type FieldConstraints, fieldPartitionKey, partitionFieldValues, UNMENTIONED_TEXTS } from './field-partition.ts'

/** The policy, and a callback for fields of which not every class of value is tried. */
export interface AnswerSamplingOptions {
  readonly program: Program
  readonly regex: Regex
  /** agent types that a capture may name, the fresh type last */
  readonly agents: readonly string[]
  markIncomplete(field: string): void
}

interface SampledField {
  readonly path: readonly string[]
  readonly values: readonly (Json | undefined)[]
}

/** With more combinations than this, each value is combined only with the simplest values of the other fields. */
const MAX_ANSWERS = 32

/** Answers that a transition may capture: the simplest valid one, varied by every value that the policy distinguishes. */
export function sampleAnswers(
  gate: Gate,
  capture: NonNullable<Transition['capture']>,
  options: AnswerSamplingOptions,
): readonly Json[] {
  const { name, schema } = capture
  const plain = simplestAnswer(schema)
  const whole = `${gate.id}.${name}`
  const names = [...new Set(referencedCaptures(options.program))].filter(
    one => one === whole || one.startsWith(`${whole}.`),
  )
  const fields = names.map((field): SampledField => {
    const path = field === whole ? [] : field.slice(whole.length + 1).split('.')
    const constraints = fieldConstraintsOf(field, options)
    const { values, isIncomplete } = partitionFieldValues(subschemaAt(schema, path), constraints)
    if (isIncomplete) options.markIncomplete(field)
    const more = isRequired(schema, path) ? values : [undefined, ...values]
    return { path, values: representativesOf(more, one => fieldPartitionKey(one, constraints)) }
  })
  const combinationCount = fields.reduce((all, field) => all * field.values.length, 1)
  if (combinationCount > MAX_ANSWERS && fields.length > 1) for (const field of names) options.markIncomplete(field)
  const settings = combinationCount > MAX_ANSWERS ? singleVariations(fields) : allCombinations(fields)
  const all = settings.map(setting =>
    setting.reduce((value, assignment) => withField(value, assignment.path, assignment.value), plain),
  )
  const valid = (fields.length > 0 ? all : [plain]).filter(one => shapeErrors(one, schema).length === 0)
  return [...new Map(valid.map(one => [JSON.stringify(one), one])).values()]
}

interface FieldAssignment {
  readonly path: readonly string[]
  readonly value: Json | undefined
}

const allCombinations = (fields: readonly SampledField[]): readonly (readonly FieldAssignment[])[] =>
  fields.reduce<readonly (readonly FieldAssignment[])[]>(
    (combinations, { path, values }) =>
      combinations.flatMap(assignments => values.map(value => [...assignments, { path, value }])),
    [[]],
  )

const singleVariations = (fields: readonly SampledField[]): readonly (readonly FieldAssignment[])[] => [
  ...fields.flatMap(({ path, values }) => values.map(value => [{ path, value }])),
  ...[0, 1].map(nth => fields.map(({ path, values }) => ({ path, value: values.at(nth) ?? values[0] }))),
]

function fieldConstraintsOf(field: string, { program, regex, agents }: AnswerSamplingOptions): FieldConstraints {
  const patterns = atomsOfProgram(program).flatMap(atom =>
    atom.key === 'captured' ? atom.fields.filter(other => other.field === field).flatMap(field => field.in) : [],
  )
  const isFilled = capturesInTemplates(program).includes(field)
  return { patterns, regex, ...(isFilled && { agentNames: agents }) }
}

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {})

function subschemaAt(schema: JsonObject, path: readonly string[]): JsonObject {
  return path.reduce<JsonObject>((at, key) => {
    const part = propertiesOf(at)[key]
    return isObject(part) ? part : {}
  }, schema)
}

const requiredOf = ({ required }: JsonObject): readonly string[] =>
  Array.isArray(required) ? required.map(String) : []

const isRequired = (schema: JsonObject, path: readonly string[]): boolean =>
  path.every((key, at) => requiredOf(subschemaAt(schema, path.slice(0, at))).includes(key))

/** Schema errors of the simplest answer. If there are any, no valid answer can be built. */
export const simplestAnswerErrors = (schema: JsonObject): readonly string[] =>
  shapeErrors(simplestAnswer(schema), schema)

function simplestAnswer(schema: JsonObject): Json {
  const choices = schema.enum
  if (Array.isArray(choices)) return choices[0] ?? null
  const [type] = [schema.type].flat()
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') return typeof schema.minimum === 'number' ? schema.minimum : 0
  if (type === 'array') return []
  if (type === 'null') return null
  const [fresh = ''] = UNMENTIONED_TEXTS
  if (type === 'string') return fresh.repeat(Math.max(1, Math.ceil(Number(schema.minLength ?? 1) / fresh.length)))
  return Object.fromEntries(
    requiredOf(schema).map(key => {
      const part = propertiesOf(schema)[key]
      return [key, isObject(part) ? simplestAnswer(part) : fresh]
    }),
  )
}

function withField(options: Json, [head, ...rest]: readonly string[], value: Json | undefined): Json {
  if (head === undefined) return value ?? options
  const base = isObject(options) ? options : {}
  if (rest.length > 0) return { ...base, [head]: withField(base[head] ?? {}, rest, value) }
  const { [head]: _, ...others } = base
  return value === undefined ? others : { ...others, [head]: value }
}
