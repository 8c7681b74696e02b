import type { Quantifier, Truth } from './three-valued.ts'
import { firstWildcard, matchShellWildcard, matchStars } from './wildcard.ts'

const WILD = /[*?{[]/

/** A glob as an absolute path. `**` crosses folders, `*` and `?` do not, `{a,b}` is a choice. */
export interface PathPattern {
  readonly glob: string
  /** all of it up to the folder in which its first wildcard stands; absent: it has none */
  readonly head?: string
  /** all of it behind its last wildcard, where that is something */
  readonly tail?: string
}

export interface PathBase {
  /** absolute, no trailing slash */
  readonly root: string
  readonly home?: string
}

/** `docs/` = everything below; `~` = home; a name without a slash anywhere in it still means the project's root. */
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

/** Most patterns of a policy are about other places: that is seen without looking at all of them. */
export const cannotMatchPath = ({ glob, head, tail = '' }: PathPattern, path: string): boolean =>
  head === undefined ? glob !== path : !(path.startsWith(head) && path.endsWith(tail))

/** Lexically: `~`, relative parts, `.` and `..` resolved, `//` folded. */
export function toAbsolute(path: string, cwd: string, home?: string): string {
  const parts: string[] = []
  for (const part of toUnresolvedAbsolute(path, cwd, home).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** From the root, `..` and all: through a symlink it leads elsewhere than it reads. */
export function toUnresolvedAbsolute(path: string, cwd: string, home?: string): string {
  const expanded = home && (path === '~' || path.startsWith('~/')) ? home + path.slice(1) : path
  return expanded.startsWith('/') ? expanded : `${cwd}/${expanded}`
}

export interface PathQuery {
  /** absolute */
  readonly path: string
  /** `path` holds shell wildcards and stands for all they may match */
  readonly glob: boolean
  /** the act takes the whole tree below `path` with it (a delete) … */
  readonly tree: boolean
  /** … or what has one of these names */
  readonly named?: readonly string[] | undefined
  /** the act changes what is below `path`, as far as it is known by name */
  readonly whole?: boolean | undefined
  /** case does not tell two files apart on this disk */
  readonly foldCase: boolean
}

export function matchPath(pattern: PathPattern, query: PathQuery, reading: Quantifier): Truth {
  const glob = query.foldCase ? pattern.glob.toLowerCase() : pattern.glob
  const path = query.foldCase ? query.path.toLowerCase() : query.path
  if (query.glob) return matchWildcard(glob, path, query, reading)
  if (matchGlob(glob, path)) return 'true'
  // deleting `docs` deletes what is in it: a rule about `docs/a` is touched, an exemption for it does not cover the rest
  if (
    reading === 'any' &&
    (query.tree ? mayLieBelow(glob, path) : query.whole && literalOf(glob).startsWith(path === '/' ? path : `${path}/`))
  )
    return query.named ? hasName(glob.slice(path.length).split('/'), query.named) : 'true'
  return 'false'
}

/**
 * `src/*` surely touches all below `src` that a pattern covers, and any one file of it that a rule names; an exemption has
 * to cover everything it may stand for.
 */
function matchWildcard(glob: string, path: string, { tree, whole = tree }: PathQuery, reading: Quantifier): Truth {
  const wild = firstWildcard(path)
  const fixed = wild < 0 ? path : path.slice(0, wild)
  const folder = fixed.slice(0, fixed.lastIndexOf('/')) || '/'
  if (glob.endsWith('/**') && matchGlob(glob, `${folder}/x`) && !path.includes('..')) return 'true'
  // of `dir/**`, one that names the folder or one above it takes along all that is in it
  const named = glob.endsWith('/**') && whole ? glob.slice(0, -'/**'.length) : glob
  if (reading === 'any' && !WILD.test(named) && takesAlong(path, named, whole)) return 'true'
  return mayLieBelow(glob, folder) || matchGlob(glob, folder) ? 'unknown' : 'false'
}

/** The shell's wildcard names the file itself or, where a tree goes, a folder above it. */
function takesAlong(wildcard: string, file: string, tree: boolean): boolean {
  const wanted = wildcard.split('/')
  const parts = file.split('/')
  if (tree ? wanted.length > parts.length : wanted.length !== parts.length) return false
  return wanted.every((part, at) => matchShellWildcard(part, parts[at] ?? ''))
}

/** Could the pattern match something below this folder? Compares the pattern's literal folders. */
function mayLieBelow(glob: string, folder: string): boolean {
  const prefix = folder === '/' ? '/' : `${folder}/`
  const literal = literalOf(glob)
  return literal.startsWith(prefix) || (literal !== glob && prefix.startsWith(literal))
}

const literalOf = (glob: string): string => glob.split(WILD, 1)[0] ?? ''

/** Has a part of the pattern one of the names? Of `dir/**` nobody knows what is in it. */
function hasName(parts: readonly string[], names: readonly string[]): Truth {
  const isNamed = (part: string) => part !== '**' && names.some(name => matchFound(name, part) || meet(name, part))
  return parts.some(isNamed) ? 'true' : parts.at(-1) === '**' ? 'unknown' : 'false'
}

/** `find` takes a dot for a letter like any other. */
const matchFound = (wildcard: string, name: string): boolean =>
  matchSegment(wildcard, name) || matchShellWildcard(`.${wildcard}`, `.${name}`)

/** Two wildcards may mean the same file unless their ends differ. */
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

/** `{a,b}` one level at a time, at most 64 choices: a policy is written by people. */
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
