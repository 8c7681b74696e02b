import {
  fieldText,
  type Json,
  type JsonObject,
  problemsWith,
  type Regex,
  type TextPattern,
  textTruth,
} from '../pattern/index.ts'
import { ANY, inOrder, type Language, noLetter, rest } from './language.ts'
import { oneOfEach } from './likeness.ts'
import { regexLanguage } from './regex-language.ts'
import { SPOKEN, textKinds } from './text-kinds.ts'

/** What is asked of a field of an answer. */
export interface FieldAsked {
  readonly patterns: readonly TextPattern[]
  /** where it is filled in: whom it may name, the fresh one last; then no two values are alike */
  readonly names?: readonly string[]
  readonly regex: Regex
}

/** Values of a field that the policy can tell apart, within what its schema allows; undefined: it is left out. */
export interface FieldValues {
  readonly values: readonly Json[]
  readonly isVague: boolean
}

export const FRESH_TEXTS: readonly string[] = ['some', 'other', 'something', 'anything', 'whatever']

export function valuesOf(schema: JsonObject, asked: FieldAsked): FieldValues {
  const made = Array.isArray(schema.enum) ? { values: schema.enum, isVague: false } : madeFor(schema, asked)
  const valid = made.values.filter(one => problemsWith(one, schema).length === 0)
  const values = oneOfEach(valid, one => kindOf(one, asked))
  return { values, isVague: made.isVague || isShort(schema, made.values, values, asked) }
}

/** How the conditions answer, and where it is filled in, whom it names: those that nobody else names are alike. */
export function kindOf(value: Json | undefined, { patterns, names, regex }: FieldAsked): string {
  const text = value === undefined ? undefined : fieldText({ value }, 'value')
  const answers = patterns.map(one =>
    text === undefined ? 'false' : textTruth([one], text, { regex, fill: given => given }),
  )
  const isNobody = text === undefined || text.trim() === ''
  const named = !names || isNobody ? '' : names.slice(0, -1).includes(text) ? text : 'another'
  return [...answers, named].join()
}

function madeFor(schema: JsonObject, asked: FieldAsked): FieldValues {
  const types = schema.type === undefined ? ['string', 'null'] : [schema.type].flat().map(String)
  const numbers = types.includes('number') || types.includes('integer')
  const isText = types.includes('string')
  const texts = isText ? textsFor(schema, asked) : NONE
  const figures = numbers ? figuresFor(schema, types.includes('number'), asked) : NONE
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

const NONE: FieldValues = { values: [], isVague: false }

function textsFor({ minLength }: JsonObject, { patterns, names = [], regex }: FieldAsked): FieldValues {
  const seeds = [...names.slice(-1), ...FRESH_TEXTS]
  const { texts, isVague } = textKinds(patterns, { regex, base: longAs(Number(minLength ?? 0)), seeds })
  return { values: [...names.slice(-1), ...texts, ...names, ...(names.length > 0 ? [''] : [])], isVague }
}

/** Blanks at the ends do not count. */
function longAs(least: number): Language {
  if (least < 2) return least < 1 ? rest : SPOKEN
  const inner = Array.from({ length: least - 2 }, () => ANY)
  return inOrder([rest, noLetter(' \t\n'), ...inner, rest, noLetter(' \t\n'), rest])
}

/** As JSON has them. */
function figuresFor({ minimum, maximum }: JsonObject, isBroken: boolean, { patterns, regex }: FieldAsked): FieldValues {
  const sign = typeof minimum === 'number' && minimum >= 0 ? '' : '-?'
  const whole = `0|${sign}[1-9][0-9]*`
  const base = regexLanguage(`^(${whole}${isBroken ? `|${sign}(0|[1-9][0-9]*)\\.[0-9]*[1-9]` : ''})$`)
  const { texts, isVague } = textKinds(patterns, { regex, ...(base && { base }) })
  const [from, to] = [minimum, maximum].map(one => (typeof one === 'number' ? one : undefined))
  const near = [from, to, 0].flatMap(one =>
    one === undefined ? [] : Array.from({ length: 2 * NEAR + 1 }, (_, at) => Math.ceil(one) + at - NEAR),
  )
  const first = from ?? 0
  const middle = (first + (to ?? first + 1)) / 2
  return { values: [first, ...texts.map(Number), middle, ...near, ...near.map(one => one + 0.5)], isVague }
}

/** Whole numbers beside the ends of what is allowed. */
const NEAR = 60

/** A kind of value that its schema may leave no room for, or of which no such value was found. */
function isShort(schema: JsonObject, made: readonly Json[], values: readonly Json[], asked: FieldAsked): boolean {
  const { minimum, maximum, type } = schema
  const isAll = type === 'integer' && typeof minimum === 'number' && typeof maximum === 'number'
  if (Array.isArray(schema.enum) || (isAll && maximum - minimum <= NEAR)) return false
  const found = new Set(values.map(one => kindOf(one, asked)))
  return made.some(one => typeof one === 'number' && !found.has(kindOf(one, asked)))
}
