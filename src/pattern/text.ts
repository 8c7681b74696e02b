import { every, type Truth } from './truth.ts'

/** User regexes, linear in the input, any case; loaded on first use by whoever injects it. */
export interface Regex {
  /** the matched text and named groups, or null */
  search(
    pattern: string,
    text: string,
  ): { readonly text: string; readonly groups: Readonly<Record<string, string>> } | null
  /** how much of a text this one reads in a time that can be waited for */
  reach?(pattern: string): number
  /** instructions that it compiles to: it takes so many steps for each character */
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

/** Of a longer text a regex sees only the beginning: it is linear in time, but a hook has two seconds. */
const LONGEST_READ = 50_000

export const reachOf = (regex: Regex, pattern: string): number =>
  Math.min(LONGEST_READ, regex.reach?.(pattern) ?? LONGEST_READ)

export const matchText = (wanted: readonly TextPattern[], value: string, { regex, fill }: TextTools): boolean =>
  wanted.some(pattern => {
    if ('regex' in pattern) return regex.search(pattern.regex, value.slice(0, reachOf(regex, pattern.regex))) !== null
    if ('has' in pattern) return value.toLowerCase().includes(pattern.has.toLowerCase())
    return value === (pattern.is.includes('{') ? fill(pattern.is) : pattern.is)
  })

/** What a regex may have found further on is unknown. */
export const textTruth = (wanted: readonly TextPattern[], value: string, tools: TextTools): Truth => {
  if (matchText(wanted, value, tools)) return 'true'
  const isCut = wanted.some(one => 'regex' in one && value.length > reachOf(tools.regex, one.regex))
  return isCut ? 'unknown' : 'false'
}

/** Every field matches. A value of null is there but cannot be told; an absent one matches nothing. */
export const matchFields = (
  fields: readonly FieldPattern[],
  read: (field: string) => string | null | undefined,
  tools: TextTools,
): Truth =>
  every(fields, ({ field, in: wanted }) => {
    const value = read(field)
    if (value === null) return wanted.some(one => 'has' in one && one.has === '') ? 'true' : 'unknown'
    return value === undefined ? 'false' : textTruth(wanted, value, tools)
  })
