import { matchShellWildcard } from '../../engine/index.ts'
import { type GuardedPaths, guardedGlobs } from './guarded-paths.ts'
import { realPath } from './real-path.ts'

/** A path that a rule names, or the folder it starts in, and where it really is, since a symlink is on the way. */
export interface GuardedLink {
  readonly written: string
  readonly real: string
}

/** A project's policy may name thousands of paths. */
const MOST_PATHS = 400
const MOST_SPELLINGS = 20

/**
 * The paths of rules that lead through symlinks: a project or a home folder that was reached by one, a `.claude` that links to a folder
 * with dotfiles.
 */
export function findLinksInGuardedPaths(
  folders: readonly string[],
  named: GuardedPaths | undefined,
  cache: Map<string, string>,
): readonly GuardedLink[] {
  const literals = new Set([...folders, ...(named ? guardedGlobs(named) : []).map(literalStart)])
  return [...literals].slice(0, MOST_PATHS).flatMap(written => {
    const real = realPath(written, cache)
    return real === written ? [] : { written, real }
  })
}

interface Touched {
  /** may contain shell wildcards */
  readonly path: string
  /** everything below it is touched too, so the guarded paths below it count */
  readonly isTree: boolean
  readonly isGlob: boolean
}

/** The path as rules spell it. */
export function guardedSpellings(touched: Touched, links: readonly GuardedLink[]): readonly string[] {
  const found = links.flatMap(({ written, real }) => {
    if (isBelow(touched.path, real)) return [written + touched.path.slice(real.length)]
    return touches(touched, real) ? [written] : []
  })
  return [...new Set(found)].slice(0, MOST_SPELLINGS)
}

function touches({ path, isTree, isGlob }: Touched, real: string): boolean {
  if (!isGlob) return isTree && isBelow(real, path)
  const wanted = path.split('/')
  const parts = real.split('/')
  const isLongEnough = isTree ? wanted.length <= parts.length : wanted.length === parts.length
  return isLongEnough && wanted.every((part, at) => matchShellWildcard(part, parts[at] ?? ''))
}

/** The whole path, or the folder before the first wildcard. */
function literalStart(glob: string): string {
  const wild = glob.search(/[*?[{]/)
  return wild < 0 ? glob : glob.slice(0, glob.lastIndexOf('/', wild)) || '/'
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
