import { every, type Truth, truth } from './truth.ts'

/** User regexes, linear in the input, any case; loaded on first use by whoever injects it. */
export interface Regex {
  /** the matched text and named groups, or null */
  search(
    pattern: string,
    text: string,
  ): { readonly text: string; readonly groups: Readonly<Record<string, string>> } | null
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

export const matchText = (wanted: readonly TextPattern[], value: string, { regex, fill }: TextTools): boolean =>
  wanted.some(pattern => {
    if ('regex' in pattern) return regex.search(pattern.regex, value) !== null
    if ('has' in pattern) return value.toLowerCase().includes(pattern.has.toLowerCase())
    return value === (pattern.is.includes('{') ? fill(pattern.is) : pattern.is)
  })

/** Every field matches. A value of null is there but cannot be told; an absent one matches nothing. */
export const matchFields = (
  fields: readonly FieldPattern[],
  read: (field: string) => string | null | undefined,
  tools: TextTools,
): Truth =>
  every(fields, ({ field, in: wanted }) => {
    const value = read(field)
    if (value === null) return wanted.some(one => 'has' in one && one.has === '') ? 'true' : 'unknown'
    return truth(value !== undefined && matchText(wanted, value, tools))
  })
