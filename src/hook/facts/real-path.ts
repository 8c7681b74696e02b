import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { tryOr } from '../../lib/errors.ts'
import { lstatIfExists } from '../../lib/files.ts'

/** Resolves `..` as the kernel does: it leaves the folder that a symlink leads to, not the folder that holds the symlink. */
export function physical(path: string, lexical: string, cache: Map<string, string>): string {
  if (path.length > LONGEST_PATH || !path.includes('..')) return realPath(lexical, cache)
  let at = '/'
  for (const part of path.split('/')) {
    if (part === '..') at = dirname(realPath(at, cache))
    else if (part !== '' && part !== '.') at = join(at, part)
  }
  return realPath(at, cache)
}

/** Resolves the folder before the first wildcard. The names that match below it stay unknown. */
export function realGlob(path: string, cache: Map<string, string>): string {
  const folder = fixedFolder(path)
  return join(realPath(folder, cache), path.slice(folder.length))
}

/** A wildcard in a folder name may always stray: searching all of those folders could take long. */
export function mayPassSymlink(path: string): boolean {
  const folder = fixedFolder(path)
  if (path.slice(folder.length + 1).includes('/')) return true
  try {
    return readdirSync(folder, { withFileTypes: true }).some(entry => entry.isSymbolicLink())
  } catch {
    return false
  }
}

const fixedFolder = (path: string): string => dirname(`${path.slice(0, path.search(/[*?[{]|$/))}x`)

/**
 * The real path. For a file that does not exist yet: the real path of the nearest existing folder, and the rest as written. A dangling
 * symlink is followed too: a write through it creates the file it names.
 */
export function realPath(path: string, cache: Map<string, string>, links = 0): string {
  const known = cache.get(path)
  if (known !== undefined) return known
  const real = findReal(path, cache, links)
  cache.set(path, real)
  return real
}

function findReal(path: string, cache: Map<string, string>, links: number): string {
  const folder = dirname(path)
  // the kernel accepts no longer path
  if (folder === path || path.length > LONGEST_PATH || isProcSelfPath(path)) return path
  const gone = isThere(path) ? path : firstMissing(path)
  if (gone !== path) return join(realPath(gone, cache, links), path.slice(gone.length))
  try {
    const entry = lstatIfExists(path)
    const real = entry && !entry.isSymbolicLink() ? realpathSync.native(path) : undefined
    if (real === path) return path
    // symlinks may lead to `/proc/self`, so they are followed one by one
    const above = realPath(folder, cache, links)
    if (!entry || isProcSelfPath(above)) return join(above, basename(path))
    if (real !== undefined) return real
    if (links >= MOST_LINKS) return path
    return realPath(resolve(above, readlinkSync(path)), cache, links + 1)
  } catch {
    return join(realPath(folder, cache, links), basename(path))
  }
}

/** Searches from the top down: nothing below a missing folder is checked, however deep the path is. */
function firstMissing(path: string): string {
  for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
    const above = path.slice(0, end)
    if (!isThere(above)) return above
  }
  return path
}

const isThere = (path: string): boolean => tryOr(false, () => lstatIfExists(path) !== undefined)

const MOST_LINKS = 40
const LONGEST_PATH = 4096

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
