/** What is written in the place of a secret. */
export const HIDDEN = '[redacted]'

/** More parts than a text of any sense has: what follows them is hidden unread, so that no text takes long. */
export const MOST_PARTS = 32_000

/** Where a secret stands. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** From here to where the pattern, which must be sticky, ends. */
export function spanOf(sticky: RegExp, text: string, from: number): Span | undefined {
  sticky.lastIndex = from
  return sticky.test(text) ? { from, to: sticky.lastIndex } : undefined
}

export function withoutSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  let result = ''
  let at = 0
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    if (from < at) continue
    result += text.slice(at, from) + HIDDEN
    at = to
  }
  return result + text.slice(at)
}
