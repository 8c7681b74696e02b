import type { Place } from '../pattern/index.ts'
import type { Arg } from './arg.ts'
import type { Scope } from './scope.ts'

const SINKS = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty', '/dev/zero'])

const isDevice = (path: string): boolean =>
  path.startsWith('/') &&
  (SINKS.has(path) || ((path.startsWith('/dev/fd/') || path.startsWith('/proc/self/fd/')) && !path.includes('..')))

const isRooted = (path: string): boolean => path.startsWith('/') || path.startsWith('~')

export function join(folder: string, path: string): string {
  if (folder === '' || isRooted(path)) return path
  if (path === '' || path === '.') return folder
  return folder.endsWith('/') ? folder + path : `${folder}/${path}`
}

export const MAX_FOLDER = 4096
const MAX_MOVES = 32

/** The folder after several moves; null when one cannot be told, or when there are more than anyone writes. */
export function joinAll(start: string | null, moves: readonly (string | null)[]): string | null {
  if (moves.length > MAX_MOVES) return null
  let at = start
  for (const to of moves) {
    if (at === null || to === null || at.length + to.length > MAX_FOLDER) return null
    at = join(at, to)
  }
  return at
}

const UNTOLD: Place = { lexical: null }

/** The files an argument may name: one for each folder the command may run in; none for a device or descriptor. */
export function places(arg: Arg, scope: Scope): readonly Place[] {
  const { text, glob } = arg
  if (arg.pipe) return []
  if (text === null) return [UNTOLD]
  if (text === '' || isDevice(text)) return []
  if (text.startsWith('~') && (scope.homeless || /^~[-+\d]/.test(text))) return [UNTOLD]
  if (isRooted(text)) return [glob ? { lexical: text, glob } : { lexical: text }]
  return scope.cwds.map(folder => {
    if (folder === null) return UNTOLD
    const lexical = join(folder, text)
    return glob ? { lexical, glob } : { lexical }
  })
}
