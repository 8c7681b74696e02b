/**
 * Paths that mean something else to each process that opens them: `/proc/self/cwd`, `/dev/fd/3`. The one that judges a call is not the
 * one that makes it, so the disk must not be asked about them.
 */
export const isProcSelfPath = (path: string): boolean =>
  /^\/proc\/(self|thread-self)(\/|$)|^\/dev\/(fd|stdin|stdout|stderr)(\/|$)/.test(path)

const MOVES = /^\/proc\/(?:self|thread-self)(?:\/task\/[^/]+)?\/(cwd|root)(\/.*)?$/s
/** The root of another process, which may not be there yet, or not ours to look into. */
const OTHER_ROOT = /^\/proc\/\d+(?:\/task\/[^/]+)?\/(root)(\/.*)?$/s
const MOST_MOVES = 8

/** The path as the caller means it, who is in `cwd`; undefined: only the caller could tell (a descriptor). */
export function resolveForCaller(path: string, cwd: string): string | undefined {
  let at = path
  for (let moves = 0; moves < MOST_MOVES; moves++) {
    const plain = at.replace(/\/+(\.\/+)*/g, '/')
    const [, where, rest = ''] = MOVES.exec(plain) ?? OTHER_ROOT.exec(plain) ?? []
    if (where === undefined) return isProcSelfPath(plain) ? undefined : at
    at = where === 'cwd' ? cwd + rest : rest || '/'
  }
  return undefined
}
