/** The replacement for a secret. */
export const REDACTED = '[redacted]'

/** More parts than any sensible text has. The rest is redacted unread, so that no text takes long. */
export const MAX_PARTS = 32_000

/** The position of a secret. */
export interface TextSpan {
  readonly from: number
  readonly to: number
}

/** The span from `from` to the end of the match. The pattern must be sticky. */
export function matchSpan(sticky: RegExp, text: string, from: number): TextSpan | undefined {
  sticky.lastIndex = from
  return sticky.test(text) ? { from, to: sticky.lastIndex } : undefined
}

export function redactSpans(text: string, spans: readonly TextSpan[]): string {
  if (spans.length === 0) return text
  let result = ''
  let at = 0
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    if (from < at) continue
    result += text.slice(at, from) + REDACTED
    at = to
  }
  return result + text.slice(at)
}
