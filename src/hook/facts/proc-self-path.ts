/**
 * Paths that differ for each process that opens them: `/proc/self/cwd`, `/dev/fd/3`. The hook is not the process that makes the call, so it
 * must not resolve them on disk.
 */
export const isProcSelfPath = (path: string): boolean =>
  /^\/proc\/(self|thread-self)(\/|$)|^\/dev\/(fd|stdin|stdout|stderr)(\/|$)/.test(path)

const MOVES = /^\/proc\/(?:self|thread-self)(?:\/task\/[^/]+)?\/(cwd|root)(\/.*)?$/s
/** The root of another process, which may not exist yet or may not be readable for us. */
const OTHER_ROOT = /^\/proc\/\d+(?:\/task\/[^/]+)?\/(root)(\/.*)?$/s
const MOST_MOVES = 8

/** The path as a caller in `cwd` would resolve it; undefined: only the caller can resolve it (a descriptor). */
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
