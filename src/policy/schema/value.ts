import * as v from 'valibot'

/** Every message completes the sentence "`key` …". */
export const textSchema = v.string('must be a text')
export const flagSchema = v.boolean('must be true or false')
export const countSchema = v.pipe(
  v.number('must be a whole number'),
  v.integer('must be a whole number'),
  v.minValue(1, 'must be at least 1'),
)
export const amountSchema = v.pipe(v.number('must be a number'), v.minValue(0, 'must not be negative'))
export const fileSchema = v.pipe(textSchema, v.nonEmpty('must not be empty'))

/** Prefix of the message that lists the valid keys. `validate` parses that message, because an issue does not carry its schema. */
export const UNKNOWN_KEY = 'unknown key among '

/** The message for a condition that is not a mapping. */
export const NOT_A_CONDITION = 'must be a condition'

/** A mapping with these keys and no others. */
export const mappingSchema = <T extends v.ObjectEntries>(entries: T, what: string) =>
  v.strictObject(entries, issue => (issue.expected === 'never' ? UNKNOWN_KEY + Object.keys(entries).join(' ') : what))

const joinWithOr = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

export const choiceSchema = <const T extends readonly string[]>(words: T) =>
  v.picklist(words, `must be ${joinWithOr(words)}`)

export const oneOrManySchema = <T extends v.GenericSchema>(item: T, what: string) =>
  v.union([item, v.array(item, `must be ${what} or a list`)], `must be ${what} or a list`)

export const regexSchema = mappingSchema({ regex: textSchema }, 'must be { regex }')
export const scalarSchema = v.union([v.string(), v.number(), v.boolean()], 'must be a text, a number, true or false')
const patternSchema = v.union([scalarSchema, regexSchema], 'must be a value or { regex }')
export const patternsSchema = oneOrManySchema(patternSchema, 'a value, { regex }')

/** A name that becomes part of a key in the stored state, so it has no dots and no slashes. */
export const idSchema = v.pipe(
  textSchema,
  v.regex(/^[a-z0-9][a-z0-9_-]*$/i, 'must be made of letters, digits, `-` and `_`'),
)
export const recordSchema = <T extends v.GenericSchema>(item: T, what: string) =>
  v.record(v.string(), item, `must be a mapping of ${what}`)

/** A text inline, a template file, or a text for each client. */
export const clientTextSchema = v.union(
  [textSchema, v.objectWithRest({ default: textSchema }, textSchema, 'must be a text or { default, <client> }')],
  'must be a text or { default, <client> }',
)
