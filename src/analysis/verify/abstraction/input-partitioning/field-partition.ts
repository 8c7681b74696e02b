import { matchText, type Regex, type TextPattern } from '../../../../engine/index.ts'
import { fieldText, type Json, type JsonObject } from '../../../../lib/json.ts'
import { shapeErrors } from '../../../../lib/json-shape.ts'
import { representativesOf } from '../equivalence-classes.ts'
import { regexLanguage } from '../regular-languages/regex-language.ts'
import {
  ANY_CHAR,
  ANY_STRING,
  anyCharExcept,
  concatAll,
  type RegularLanguage,
} from '../regular-languages/regular-language.ts'
import { NON_BLANK_TEXT, partitionTexts } from './text-partition.ts'

/** The conditions on a field of an answer. */
export interface FieldConstraints {
  readonly patterns: readonly TextPattern[]
  /** if templates use the field: agent names it may hold, the fresh name last; each named agent is then a class of its own */
  readonly agentNames?: readonly string[]
  readonly regex: Regex
}

/** Values of a field that the policy can distinguish, within what its schema allows. */
export interface FieldPartition {
  readonly values: readonly Json[]
  readonly isIncomplete: boolean
}

export const UNMENTIONED_TEXTS: readonly string[] = ['some', 'other', 'something', 'anything', 'whatever']

export function partitionFieldValues(schema: JsonObject, constraints: FieldConstraints): FieldPartition {
  const made = Array.isArray(schema.enum)
    ? { values: schema.enum, isIncomplete: false }
    : generateFieldValues(schema, constraints)
  const valid = made.values.filter(value => shapeErrors(value, schema).length === 0)
  const values = representativesOf(valid, one => fieldPartitionKey(one, constraints))
  return { values, isIncomplete: made.isIncomplete || isIncompletePartition(schema, made.values, values, constraints) }
}

/** Equivalence key: the results of all patterns, and in templates the agent named. Agents that the policy does not name share a key. */
export function fieldPartitionKey(value: Json | undefined, { patterns, agentNames, regex }: FieldConstraints): string {
  const text = value === undefined ? undefined : fieldText({ value }, 'value')
  const answers = patterns.map(pattern =>
    text === undefined ? 'false' : matchText([pattern], text, { regex, fill: given => given }),
  )
  const isNobody = text === undefined || text.trim() === ''
  const named = !agentNames || isNobody ? '' : agentNames.slice(0, -1).includes(text) ? text : 'another'
  return [...answers, named].join()
}

function generateFieldValues(schema: JsonObject, constraints: FieldConstraints): FieldPartition {
  const types = schema.type === undefined ? ['string', 'null'] : [schema.type].flat().map(String)
  const numbers = types.includes('number') || types.includes('integer')
  const isText = types.includes('string')
  const texts = isText ? textValues(schema, constraints) : EMPTY_PARTITION
  const figures = numbers ? numberValues(schema, types.includes('number'), constraints) : EMPTY_PARTITION
  const isNested = !isText && (types.includes('array') || types.includes('object'))
  return {
    // in a template, null is equivalent to an empty text
    values: [
      ...(types.includes('null') ? [null] : []),
      ...texts.values,
      ...figures.values,
      ...(types.includes('boolean') ? [false, true] : []),
      ...(types.includes('array') ? [[]] : []),
      ...(types.includes('object') ? [{}] : []),
    ],
    // texts inside lists and objects are not sampled
    isIncomplete: texts.isIncomplete || figures.isIncomplete || (isNested && constraints.patterns.length > 0),
  }
}

const EMPTY_PARTITION: FieldPartition = { values: [], isIncomplete: false }

function textValues({ minLength }: JsonObject, { patterns, agentNames = [], regex }: FieldConstraints): FieldPartition {
  const seeds = [...agentNames.slice(-1), ...UNMENTIONED_TEXTS]
  const { texts, isIncomplete } = partitionTexts(patterns, {
    regex,
    base: minLengthLanguage(Number(minLength ?? 0)),
    seeds,
  })
  return {
    values: [...agentNames.slice(-1), ...texts, ...agentNames, ...(agentNames.length > 0 ? [''] : [])],
    isIncomplete,
  }
}

/** Surrounding blanks do not count towards the length. */
function minLengthLanguage(least: number): RegularLanguage {
  if (least < 2) return least < 1 ? ANY_STRING : NON_BLANK_TEXT
  const inner = Array.from({ length: least - 2 }, () => ANY_CHAR)
  return concatAll([ANY_STRING, anyCharExcept(' \t\n'), ...inner, ANY_STRING, anyCharExcept(' \t\n'), ANY_STRING])
}

/** Numbers in JSON notation. */
function numberValues(
  { minimum, maximum }: JsonObject,
  isBroken: boolean,
  { patterns, regex }: FieldConstraints,
): FieldPartition {
  const sign = typeof minimum === 'number' && minimum >= 0 ? '' : '-?'
  const whole = `0|${sign}[1-9][0-9]*`
  const base = regexLanguage(`^(${whole}${isBroken ? `|${sign}(0|[1-9][0-9]*)\\.[0-9]*[1-9]` : ''})$`)
  const { texts, isIncomplete } = partitionTexts(patterns, { regex, ...(base && { base }) })
  const [from, to] = [minimum, maximum].map(one => (typeof one === 'number' ? one : undefined))
  const near = [from, to, 0].flatMap(one =>
    one === undefined
      ? []
      : Array.from({ length: 2 * MAX_ENUMERATED_RANGE + 1 }, (_, at) => Math.ceil(one) + at - MAX_ENUMERATED_RANGE),
  )
  const first = from ?? 0
  const middle = (first + (to ?? first + 1)) / 2
  return { values: [first, ...texts.map(Number), middle, ...near, ...near.map(one => one + 0.5)], isIncomplete }
}

/** How many whole numbers on either side of a bound are enumerated. */
const MAX_ENUMERATED_RANGE = 60

/** A generated number has a class for which the schema allows no value, or for which none was found. */
function isIncompletePartition(
  schema: JsonObject,
  made: readonly Json[],
  values: readonly Json[],
  constraints: FieldConstraints,
): boolean {
  const { minimum, maximum, type } = schema
  const isAll = type === 'integer' && typeof minimum === 'number' && typeof maximum === 'number'
  if (Array.isArray(schema.enum) || (isAll && maximum - minimum <= MAX_ENUMERATED_RANGE)) return false
  const found = new Set(values.map(value => fieldPartitionKey(value, constraints)))
  return made.some(one => typeof one === 'number' && !found.has(fieldPartitionKey(one, constraints)))
}
