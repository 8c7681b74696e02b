import { KINDS } from './pair-kind.ts'
import { MOST_PARTS, type Span, withoutSpans } from './span.ts'

/** A name and its value, as far as it can be told before the name is looked at. */
export interface Pair {
  readonly text: string
  readonly name: string
  /** the name in small letters */
  readonly small: string
  /** what parts them: `=`, `: `, `" => `; empty behind an option */
  readonly mark: string
  /** where the name begins */
  readonly start: number
  /** where the value does */
  readonly at: number
  /** the quote in front of the name that is still open behind it */
  readonly quote: string
}

const PAIR = /(?<![\w.-])(?:([\w.-]+)(\\?["'`]?\]?[ \t]{0,8}(?:=>|:=|[=:,>])(?:\\?[ \t]){0,8})|(-[\w.-]+)\s{1,3})/g
const isQuote = (sign: string): boolean => sign === '"' || sign === "'" || sign === '`'

/** `password=x`, `"token": "x"`, `X-Auth: x`, `--api-key x`, `<password>x</password>` */
export function hidePairs(text: string): string {
  const spans: Span[] = []
  let count = 0
  PAIR.lastIndex = 0
  for (let found = PAIR.exec(text); found; found = PAIR.exec(text)) {
    const [whole, named, mark = '', option = ''] = found
    // the first letter belongs to an escaped line break
    const escaped = text[found.index - 1] === '\\' && /^[nrt]/.test(whole) ? 1 : 0
    const name = (named ?? option).slice(escaped)
    const start = found.index + escaped
    count += 1
    if (count > MOST_PARTS) return withoutSpans(text, [...spans, { from: start, to: text.length }])
    const before = text[start - 1] ?? ''
    const quote = isQuote(before) && !/["'`]/.test(mark) ? before : ''
    const span = secretOf({ text, name, small: name.toLowerCase(), mark, start, at: found.index + whole.length, quote })
    if (!span) continue
    spans.push(span)
    PAIR.lastIndex = span.to
  }
  return withoutSpans(text, spans)
}

const secretOf = (pair: Pair): Span | undefined => KINDS.find(kind => kind.is(pair))?.secret(pair)
