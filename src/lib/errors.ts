/** The first line of the error's message, whatever was thrown. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''

/** What `read` returns, or `fallback` if it throws. */
export function tryOr<T>(fallback: T, read: () => T): T {
  try {
    return read()
  } catch {
    return fallback
  }
}
