import { MAX_PARTS, redactSpans, type TextSpan } from '../span.ts'
import { PAIR_KINDS } from './pair-kinds.ts'

/** A name and its value, before the name is checked. */
export interface NameValuePair {
  readonly text: string
  readonly name: string
  /** the name in lower case */
  readonly small: string
  /** the separator: `=`, `: `, `" => `; empty after an option */
  readonly mark: string
  /** where the name begins */
  readonly start: number
  /** where the value begins */
  readonly at: number
  /** the quote before the name that is still open after it */
  readonly quote: string
}

const PAIR = /(?<![\w.-])(?:([\w.-]+)(\\?["'`]?\]?[ \t]{0,8}(?:=>|:=|[=:,>])(?:\\?[ \t]){0,8})|(-[\w.-]+)\s{1,3})/g
const isQuote = (sign: string): boolean => sign === '"' || sign === "'" || sign === '`'

/** `password=x`, `"token": "x"`, `X-Auth: x`, `--api-key x`, `<password>x</password>` */
export function redactPairs(text: string): string {
  const spans: TextSpan[] = []
  let count = 0
  PAIR.lastIndex = 0
  for (let found = PAIR.exec(text); found; found = PAIR.exec(text)) {
    const [whole, named, mark = '', option = ''] = found
    // the first letter belongs to an escaped line break
    const escaped = text[found.index - 1] === '\\' && /^[nrt]/.test(whole) ? 1 : 0
    const name = (named ?? option).slice(escaped)
    const start = found.index + escaped
    count += 1
    if (count > MAX_PARTS) return redactSpans(text, [...spans, { from: start, to: text.length }])
    const before = text[start - 1] ?? ''
    const quote = isQuote(before) && !/["'`]/.test(mark) ? before : ''
    const span = secretSpanOf({
      text,
      name,
      small: name.toLowerCase(),
      mark,
      start,
      at: found.index + whole.length,
      quote,
    })
    if (!span) continue
    spans.push(span)
    PAIR.lastIndex = span.to
  }
  return redactSpans(text, spans)
}

const secretSpanOf = (pair: NameValuePair): TextSpan | undefined => PAIR_KINDS.find(kind => kind.is(pair))?.secret(pair)
