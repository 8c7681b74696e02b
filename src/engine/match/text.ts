import { everyTruth, someTruth, type Truth, truthOf } from './three-valued.ts'

/** Regexes of policies: linear in the input, case-insensitive. The implementation is injected and loads on first use. */
export interface Regex {
  /** the matched text and named groups, or null */
  search(
    pattern: string,
    text: string,
  ): { readonly text: string; readonly groups: Readonly<Record<string, string>> } | null
  /** how many characters of this text, or of any text, the pattern can read in an acceptable time */
  reach?(pattern: string, text?: string): number
  /** number of instructions that the pattern compiles to: the steps for each character */
  size?(pattern: string): number
}

/** `is`: the value itself, which may hold `{variables}`; `has`: contained, any case; `regex`: found anywhere. */
export type TextPattern = { readonly is: string } | { readonly has: string } | { readonly regex: string }

/** `field` has a value matching one of `in`. */
export interface FieldPattern {
  readonly field: string
  readonly in: readonly TextPattern[]
}

export interface TextTools {
  readonly regex: Regex
  /** fills a value that is a template */
  fill(value: string): string
}

/** A regex reads only the beginning of a longer text: it is linear in time, but a hook has two seconds. */
const LONGEST_READ = 50_000

/** `*` stands for any characters. `fill` puts captures into the text between stars: a star in a captured value is only a character. */
export function fitsStars(pattern: string, text: string, fill: (part: string) => string = part => part): boolean {
  if (!pattern.includes('*')) return fill(pattern) === text
  const [first = '', ...middle] = pattern.split('*').map(fill)
  const last = middle.pop() ?? ''
  const end = text.length - last.length
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of middle) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

export const lengthReadByPattern = (regex: Regex, pattern: string, text: string, longest = LONGEST_READ): number =>
  Math.min(longest, regex.reach?.(pattern, text) ?? longest)

/** `longest`: so much of a text is read by a regex that has the time. */
export const matchText = (
  wanted: readonly TextPattern[],
  value: string,
  { regex, fill }: TextTools,
  longest?: number,
): Truth =>
  someTruth(wanted, pattern => {
    if ('regex' in pattern) return regexTruth(pattern.regex, value, regex, longest)
    if ('has' in pattern) return truthOf(lowered(value).includes(pattern.has.toLowerCase()))
    return truthOf(value === (pattern.is.includes('{') ? fill(pattern.is) : pattern.is))
  })

/** If the text is cut, a missing match is unknown. So is a match at the end of the part that was read: `$` is not really there. */
export function regexTruth(pattern: string, value: string, regex: Regex, longest?: number): Truth {
  const read = value.slice(0, lengthReadByPattern(regex, pattern, value, longest))
  if (read.length === value.length) return truthOf(regex.search(pattern, read) !== null)
  const found = read === '' ? null : regex.search(pattern, read)
  return found && !read.endsWith(found.text) ? 'true' : 'unknown'
}

/** One-entry cache: a policy may look for thousands of words in one long text. */
const lowered = (value: string): string => {
  if (value !== last.value) last = { value, lower: value.toLowerCase() }
  return last.lower
}
let last = { value: '', lower: '' }

/** Every field matches. A value of null exists but is unknown; an absent value matches nothing. */
export const matchFields = (
  fields: readonly FieldPattern[],
  read: (field: string) => string | null | undefined,
  tools: TextTools,
): Truth =>
  everyTruth(fields, ({ field, in: wanted }) => {
    const value = read(field)
    if (value === null) return wanted.some(pattern => 'has' in pattern && pattern.has === '') ? 'true' : 'unknown'
    return value === undefined ? 'false' : matchText(wanted, value, tools)
  })

export const MAX_VALUE_LENGTH = 200
/** Only this many characters of a value are processed: a command may be a megabyte long. */
const READ = 2000

type Lookup = (name: string) => string | undefined

/**
 * Fills in `{name}`. `{{` is a brace; `{?name}…{/}` is left out if the value is missing, empty or `false`.
 * Values come from agents and repositories: they are cut, lose control characters, and are never parsed as a template.
 */
export function fillTemplate(template: string, value: Lookup): string {
  const text = template.includes('{?') ? withoutMissing(template, value) : template
  return text.replace(/\{\{|\{([a-zA-Z][\w./-]*)\}/g, (whole, name: string | undefined) => {
    if (name === undefined) return '{'
    const found = value(name)
    return found === undefined ? whole : clean(found)
  })
}

const PART = /\{\{|\{\?([a-zA-Z][\w./-]*)\}|\{\/\}/g

function withoutMissing(template: string, value: Lookup): string {
  const shown = [true]
  const isShown = (): boolean => shown.at(-1) === true
  let text = ''
  let from = 0
  for (const { 0: whole, 1: name, index } of template.matchAll(PART)) {
    if (isShown()) text += template.slice(from, index)
    from = index + whole.length
    if (name !== undefined) shown.push(isShown() && !['', 'false'].includes(value(name)?.trim() ?? ''))
    else if (whole === '{/}' && shown.length > 1) shown.pop()
    else if (isShown()) text += whole
  }
  return isShown() ? text + template.slice(from) : text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g

/** A value that was cut ends in `…`, so that code that stores the text can recognise half of a secret. */
const clean = (value: string): string => {
  const plain = value.slice(0, READ).replace(CONTROL, ' ')
  return plain.length > MAX_VALUE_LENGTH || value.length > READ ? `${plain.slice(0, MAX_VALUE_LENGTH - 1)}…` : plain
}
