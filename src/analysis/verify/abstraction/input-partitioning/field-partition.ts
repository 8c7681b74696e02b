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

/** What is asked of a field of an answer. */
export interface FieldConstraints {
  readonly patterns: readonly TextPattern[]
  /** where it is filled in: whom it may name, the fresh one last; then no two values are alike */
  readonly names?: readonly string[]
  readonly regex: Regex
}

/** Values of a field that the policy can tell apart, within what its schema allows; undefined: it is left out. */
export interface FieldPartition {
  readonly values: readonly Json[]
  readonly isVague: boolean
}

export const FRESH_TEXTS: readonly string[] = ['some', 'other', 'something', 'anything', 'whatever']

export function partitionFieldValues(schema: JsonObject, asked: FieldConstraints): FieldPartition {
  const made = Array.isArray(schema.enum) ? { values: schema.enum, isVague: false } : generateFieldValues(schema, asked)
  const valid = made.values.filter(one => shapeErrors(one, schema).length === 0)
  const values = representativesOf(valid, one => fieldPartitionKey(one, asked))
  return { values, isVague: made.isVague || isIncompletePartition(schema, made.values, values, asked) }
}

/** How the conditions answer, and where it is filled in, whom it names: those that nobody else names are alike. */
export function fieldPartitionKey(value: Json | undefined, { patterns, names, regex }: FieldConstraints): string {
  const text = value === undefined ? undefined : fieldText({ value }, 'value')
  const answers = patterns.map(one =>
    text === undefined ? 'false' : matchText([one], text, { regex, fill: given => given }),
  )
  const isNobody = text === undefined || text.trim() === ''
  const named = !names || isNobody ? '' : names.slice(0, -1).includes(text) ? text : 'another'
  return [...answers, named].join()
}

function generateFieldValues(schema: JsonObject, asked: FieldConstraints): FieldPartition {
  const types = schema.type === undefined ? ['string', 'null'] : [schema.type].flat().map(String)
  const numbers = types.includes('number') || types.includes('integer')
  const isText = types.includes('string')
  const texts = isText ? textValues(schema, asked) : EMPTY_PARTITION
  const figures = numbers ? numberValues(schema, types.includes('number'), asked) : EMPTY_PARTITION
  const isNested = !isText && (types.includes('array') || types.includes('object'))
  return {
    // filled in, null is as good as an empty text
    values: [
      ...(types.includes('null') ? [null] : []),
      ...texts.values,
      ...figures.values,
      ...(types.includes('boolean') ? [false, true] : []),
      ...(types.includes('array') ? [[]] : []),
      ...(types.includes('object') ? [{}] : []),
    ],
    // the texts of lists are not looked into
    isVague: texts.isVague || figures.isVague || (isNested && asked.patterns.length > 0),
  }
}

const EMPTY_PARTITION: FieldPartition = { values: [], isVague: false }

function textValues({ minLength }: JsonObject, { patterns, names = [], regex }: FieldConstraints): FieldPartition {
  const seeds = [...names.slice(-1), ...FRESH_TEXTS]
  const { texts, isVague } = partitionTexts(patterns, { regex, base: minLengthLanguage(Number(minLength ?? 0)), seeds })
  return { values: [...names.slice(-1), ...texts, ...names, ...(names.length > 0 ? [''] : [])], isVague }
}

/** Blanks at the ends do not count. */
function minLengthLanguage(least: number): RegularLanguage {
  if (least < 2) return least < 1 ? ANY_STRING : NON_BLANK_TEXT
  const inner = Array.from({ length: least - 2 }, () => ANY_CHAR)
  return concatAll([ANY_STRING, anyCharExcept(' \t\n'), ...inner, ANY_STRING, anyCharExcept(' \t\n'), ANY_STRING])
}

/** As JSON has them. */
function numberValues(
  { minimum, maximum }: JsonObject,
  isBroken: boolean,
  { patterns, regex }: FieldConstraints,
): FieldPartition {
  const sign = typeof minimum === 'number' && minimum >= 0 ? '' : '-?'
  const whole = `0|${sign}[1-9][0-9]*`
  const base = regexLanguage(`^(${whole}${isBroken ? `|${sign}(0|[1-9][0-9]*)\\.[0-9]*[1-9]` : ''})$`)
  const { texts, isVague } = partitionTexts(patterns, { regex, ...(base && { base }) })
  const [from, to] = [minimum, maximum].map(one => (typeof one === 'number' ? one : undefined))
  const near = [from, to, 0].flatMap(one =>
    one === undefined
      ? []
      : Array.from({ length: 2 * MAX_ENUMERATED_RANGE + 1 }, (_, at) => Math.ceil(one) + at - MAX_ENUMERATED_RANGE),
  )
  const first = from ?? 0
  const middle = (first + (to ?? first + 1)) / 2
  return { values: [first, ...texts.map(Number), middle, ...near, ...near.map(one => one + 0.5)], isVague }
}

/** Whole numbers beside the ends of what is allowed. */
const MAX_ENUMERATED_RANGE = 60

/** A kind of value that its schema may leave no room for, or of which no such value was found. */
function isIncompletePartition(
  schema: JsonObject,
  made: readonly Json[],
  values: readonly Json[],
  asked: FieldConstraints,
): boolean {
  const { minimum, maximum, type } = schema
  const isAll = type === 'integer' && typeof minimum === 'number' && typeof maximum === 'number'
  if (Array.isArray(schema.enum) || (isAll && maximum - minimum <= MAX_ENUMERATED_RANGE)) return false
  const found = new Set(values.map(one => fieldPartitionKey(one, asked)))
  return made.some(one => typeof one === 'number' && !found.has(fieldPartitionKey(one, asked)))
}
