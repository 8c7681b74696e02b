import { type Quantifier, someTruth, type Truth } from './three-valued.ts'
import { firstWildcard, matchShellWildcard, matchStars } from './wildcard.ts'

const WILD = /[*?{[]/

/** A glob as an absolute path. `**` crosses folders, `*` and `?` do not, `{a,b}` is a choice. */
export interface PathPattern {
  readonly glob: string
  /** the part up to the folder that contains the first wildcard; absent if there is no wildcard */
  readonly head?: string
  /** the part after the last wildcard, if it is not empty */
  readonly tail?: string
}

export interface PathBase {
  /** absolute, no trailing slash */
  readonly root: string
  readonly home?: string
}

/** `docs/` means everything below; `~` is home; a name without a slash is relative to the project's root. */
export function parsePath(text: string, base: PathBase): PathPattern {
  const below = text.endsWith('/') ? `${text}**` : text
  return withHead(toAbsolute(below, base.root, base.home))
}

const withHead = (glob: string): PathPattern => {
  const wild = glob.search(WILD)
  if (wild < 0) return { glob }
  const tail = glob.slice(glob.search(/[^*?{}[\]]*$/))
  return { glob, head: glob.slice(0, glob.lastIndexOf('/', wild)), ...(tail !== '' && { tail }) }
}

/** A cheap check first: most patterns of a policy are about other paths. */
export const cannotMatchPath = ({ glob, head, tail = '' }: PathPattern, path: string): boolean =>
  head === undefined ? glob !== path : !(path.startsWith(head) && path.endsWith(tail))

/** Resolves `~`, relative parts, `.`, `..` and `//` without reading the disk. */
export function toAbsolute(path: string, cwd: string, home?: string): string {
  const parts: string[] = []
  for (const part of toUnresolvedAbsolute(path, cwd, home).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** Absolute, with `..` kept: behind a symlink `..` leads elsewhere than the text says. */
export function toUnresolvedAbsolute(path: string, cwd: string, home?: string): string {
  const expanded = home && (path === '~' || path.startsWith('~/')) ? home + path.slice(1) : path
  return expanded.startsWith('/') ? expanded : `${cwd}/${expanded}`
}

/**
 * What an action touches below its path. `tree`: everything (a delete). `named`: what a pattern names literally (a change of a whole
 * folder). `read`: the same, but what a pattern with `**` may find there is only a doubt (a recursive read).
 */
export type Below = 'tree' | 'named' | 'read'

export interface PathQuery {
  /** absolute */
  readonly path: string
  /** `path` contains shell wildcards and stands for everything they may match */
  readonly glob: boolean
  /** what else the action touches */
  readonly below?: Below | undefined
  /** of what is below, only files with one of these names */
  readonly named?: readonly string[] | undefined
  /** the disk ignores case */
  readonly foldCase: boolean
}

export function matchPath(pattern: PathPattern, query: PathQuery, reading: Quantifier): Truth {
  const glob = query.foldCase ? pattern.glob.toLowerCase() : pattern.glob
  const path = query.foldCase ? query.path.toLowerCase() : query.path
  if (query.glob) return matchWildcard(glob, path, query, reading)
  if (matchGlob(glob, path)) return 'true'
  if (reading !== 'any' || query.below === undefined || !mayLieBelow(glob, path)) return 'false'
  const found = query.below === 'tree' ? matchTree(glob, path) : matchLiteralBelow(glob, path, query.below)
  return query.named && found !== 'false' ? hasName(partsBelow(glob, path), query.named) : found
}

/**
 * Deleting `docs` deletes its content: a rule about `docs/a` or `docs/*.md` matches, an exemption for it does not cover the rest. If only
 * `**` of the pattern reaches into the folder, nobody knows whether such a file is there.
 */
const matchTree = (glob: string, path: string): Truth =>
  someTruth(braces(glob), choice => {
    const parts = choice.split('/')
    const folder = path === '/' ? [''] : path.split('/')
    const stars = parts.indexOf('**')
    const isAbove = (end: number) => parts[end - 1] !== '**' && matchParts(parts.slice(0, end), folder)
    if (parts.some((_, end) => end > 0 && isAbove(end))) return 'true'
    return stars > 0 && matchParts([...parts.slice(0, stars), '**'], folder) ? 'unknown' : 'false'
  })

function matchLiteralBelow(glob: string, path: string, below: 'named' | 'read'): Truth {
  if (!literalOf(glob).startsWith(path === '/' ? path : `${path}/`)) return 'false'
  return below === 'read' && /\*\*./.test(glob) ? 'unknown' : 'true'
}

/**
 * The path has shell wildcards. `src/*` surely matches a pattern that covers all of `src`, and a rule about one file in it. An
 * exemption must cover everything that the wildcard may stand for.
 */
function matchWildcard(glob: string, path: string, { below }: PathQuery, reading: Quantifier): Truth {
  const whole = below !== undefined
  const wild = firstWildcard(path)
  const fixed = wild < 0 ? path : path.slice(0, wild)
  const folder = fixed.slice(0, fixed.lastIndexOf('/')) || '/'
  if (glob.endsWith('/**') && matchGlob(glob, `${folder}/x`) && !path.includes('..')) return 'true'
  // for `dir/**`: a wildcard that names `dir` or a folder above it affects everything in `dir`
  const named = glob.endsWith('/**') && whole ? glob.slice(0, -'/**'.length) : glob
  if (reading === 'any' && !WILD.test(named) && takesAlong(path, named, whole)) return 'true'
  if (!whole && isOtherName(glob, path)) return 'false'
  return mayLieBelow(glob, folder) || matchGlob(glob, folder) ? 'unknown' : 'false'
}

/** `*.txt` is no file named `.env`, wherever it is. Any other character than these may have a meaning in some shell. */
function isOtherName(glob: string, path: string): boolean {
  const [wanted, given] = [glob, path].map(text => text.slice(text.lastIndexOf('/') + 1)) as [string, string]
  if (!/^[\w.*?-]+$/.test(given)) return false
  return WILD.test(wanted) ? !meet(given, wanted) : !matchShellWildcard(`x${given}`, `x${wanted}`)
}

/** The shell wildcard matches the file itself or, for a tree, a folder above it or all that is in it. */
function takesAlong(wildcard: string, file: string, tree: boolean): boolean {
  const wanted = wildcard.split('/')
  const parts = file.split('/')
  if (tree && wildcard === `${file}/*`) return true
  if (tree ? wanted.length > parts.length : wanted.length !== parts.length) return false
  return wanted.every((part, at) => matchShellWildcard(part, parts[at] ?? ''))
}

/** Could the pattern match something below this folder? Compares the literal start of the pattern. */
function mayLieBelow(glob: string, folder: string): boolean {
  const prefix = folder === '/' ? '/' : `${folder}/`
  const literal = literalOf(glob)
  return literal.startsWith(prefix) || (literal !== glob && prefix.startsWith(literal))
}

const literalOf = (glob: string): string => glob.split(WILD, 1)[0] ?? ''

/** The parts of the pattern behind the path, as far as it names the path literally. */
const partsBelow = (glob: string, path: string): readonly string[] =>
  glob.slice(Math.min(path.length, literalOf(glob).lastIndexOf('/'))).split('/')

/** Does a part of the pattern have one of the names? The content of `dir/**` is unknown. */
function hasName(parts: readonly string[], names: readonly string[]): Truth {
  const isNamed = (part: string) => part !== '**' && names.some(name => matchFound(name, part) || meet(name, part))
  return parts.some(isNamed) ? 'true' : parts.at(-1) === '**' ? 'unknown' : 'false'
}

/** `find` matches a leading dot like any other character. */
const matchFound = (wildcard: string, name: string): boolean =>
  matchSegment(wildcard, name) || matchShellWildcard(`.${wildcard}`, `.${name}`)

/** Two wildcards may match the same file unless their literal ends differ. */
function meet(one: string, other: string): boolean {
  if (!WILD.test(other)) return false
  const [a = '', b = ''] = [one, other].map(text => text.slice(text.search(/[^*?{}[\]]*$/)))
  return a.endsWith(b) || b.endsWith(a)
}

export function matchGlob(glob: string, path: string): boolean {
  return braces(glob).some(choice => matchParts(choice.split('/'), path.split('/')))
}

const matchParts = (pattern: readonly string[], path: readonly string[]): boolean =>
  matchStars(pattern, path, '**', matchSegment)

const matchSegment = (pattern: string, text: string): boolean =>
  matchStars(pattern, text, '*', (wanted, given) => wanted === '?' || wanted === given)

const cache = new Map<string, readonly string[]>()

/** Expands `{a,b}` one level at a time and stops above 64 choices: people write no larger patterns. */
function braces(glob: string): readonly string[] {
  const known = cache.get(glob)
  if (known) return known
  let choices = [glob]
  for (let round = 0; round < 6 && choices.length <= 64; round++) {
    const next = choices.flatMap(text => {
      const found = /\{([^{}]*,[^{}]*)\}/.exec(text)
      if (!found) return [text]
      return (found[1] ?? '')
        .split(',')
        .map(item => text.slice(0, found.index) + item + text.slice(found.index + found[0].length))
    })
    if (next.length === choices.length) break
    choices = next
  }
  cache.set(glob, choices)
  return choices
}
