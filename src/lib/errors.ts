/** The first line of the error's message, whatever was thrown. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''

/** Whether it is an error of the system with this code: `ENOENT`, `EEXIST`. */
export const hasErrorCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** What `read` returns, or `fallback` if it throws. */
export function tryOr<T>(fallback: T, read: () => T): T {
  try {
    return read()
  } catch {
    return fallback
  }
}
