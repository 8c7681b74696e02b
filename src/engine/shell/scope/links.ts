import type { PathRef } from '../../match/path-ref.ts'
import { firstWildcard, matchShellWildcard } from '../../match/wildcard.ts'

/** A link that the line creates. It is not on disk yet, so nobody can ask the disk about it. */
export interface LineLink {
  /** null: any path may be the link */
  readonly at: string | null
  /** null: it may lead anywhere */
  readonly to: string | null
  readonly glob: boolean
}

/** Links of one line, and how deep links to links are followed. What exceeds either may lead anywhere. */
const MAX_LINKS = 64
const MAX_LINK_DEPTH = 8
const MAX_TARGETS = 128
/** A path with more parts is compared with nothing: it may be any of the links. */
const MAX_PARTS = 64

export function addLink(links: LineLink[], { at: path, to, glob }: LineLink): void {
  const link = { at: path === null || isTooLong(path) ? null : path, to, glob }
  if (links.some(one => one.at === link.at && one.to === to)) return
  if (links.length < MAX_LINKS) links.push(link)
  else if (links.length === MAX_LINKS) links.push({ at: null, to: null, glob: false })
}

const isTooLong = (path: string): boolean => path.split('/', MAX_PARTS + 1).length > MAX_PARTS

/** All paths that the path leads to by links of the line, also by a link to a link. */
export function linkTargetsOf(place: PathRef, links: readonly LineLink[]): readonly PathRef[] {
  const found = new Map<string | null, PathRef>()
  let now: readonly PathRef[] = [place]
  for (let depth = 0; now.length > 0; depth += 1) {
    if (depth === MAX_LINK_DEPTH || found.size > MAX_TARGETS) return [...found.values(), { lexical: null }]
    now = now.flatMap(one => directTargetsOf(one, links, depth === 0)).filter(({ lexical }) => !found.has(lexical))
    for (const one of now) found.set(one.lexical, one)
  }
  return [...found.values()].filter(({ lexical }) => lexical !== place.lexical)
}

/** `loose`: a path from the root and one from here may be the same. Names that are made of links are compared strictly. */
function directTargetsOf(place: PathRef, links: readonly LineLink[], loose: boolean): readonly PathRef[] {
  const path = place.lexical
  if (path === null) return []
  if (isTooLong(path)) return [{ lexical: null }]
  return links.flatMap(({ at, to, glob }): PathRef[] => {
    if (at === null)
      return to === null ? [{ lexical: null }] : [{ ...place, lexical: to, whole: true, ...(glob && { glob }) }]
    return restsBehind(path, at, place.glob === true, loose).map(rest => {
      if (to === null) return { lexical: null }
      const lexical = rest === '' ? to : `${to.replace(/(?<=.)\/+$/, '')}/${rest}`
      return glob ? { ...place, lexical, glob } : { ...place, lexical }
    })
  })
}

/**
 * What of the path comes after the link; none if the path does not go through it. If only one of the two is absolute, they may be the
 * same all the same: `/home/me/app/z` and `z`. So every end of the absolute one counts.
 */
function restsBehind(path: string, link: string, glob: boolean, loose: boolean): readonly string[] {
  const [root, other] = [rootOf(path), rootOf(link)]
  if (!loose && root !== other) return []
  const rests = new Set<string>()
  for (const parts of readingsOf(path))
    for (const wanted of readingsOf(link))
      for (let at = 0; at === 0 || (root !== '' && root !== other && at < parts.length); at += 1)
        for (let from = 0; from === 0 || (other !== '' && root !== other && from < wanted.length); from += 1)
          if (matchesAt(parts, at, wanted, from, glob)) rests.add(parts.slice(at + wanted.length - from).join('/'))
  return [...rests]
}

/** The parts of the path as it is written, and with each `..` resolved. */
function readingsOf(path: string): readonly (readonly string[])[] {
  const parts = path.split('/').filter((part, at) => part !== '' && part !== '.' && !(at === 0 && part === '~'))
  return parts.includes('..') ? [parts, withoutUpwards(parts)] : [parts]
}

const rootOf = (path: string): string => (path.startsWith('/') ? '/' : path.startsWith('~') ? '~' : '')

function matchesAt(
  parts: readonly string[],
  at: number,
  wanted: readonly string[],
  from: number,
  glob: boolean,
): boolean {
  if (parts.length - at < wanted.length - from) return false
  for (let next = 0; from + next < wanted.length; next += 1) {
    const part = parts[at + next] ?? ''
    const name = wanted[from + next] ?? ''
    const isWild = glob && firstWildcard(part) !== -1 && matchShellWildcard(part, name)
    if (part !== name && !isWild) return false
  }
  return true
}

/** The parts after each `..` has taken away the part before it, as where no folder on the way is a link. */
function withoutUpwards(parts: readonly string[]): readonly string[] {
  const left: string[] = []
  for (const part of parts)
    if (part === '..' && left.length > 0 && left.at(-1) !== '..') left.pop()
    else left.push(part)
  return left
}
