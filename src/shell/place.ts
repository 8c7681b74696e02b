import type { Place } from '../pattern/index.ts'
import { type Arg, literal } from './arg.ts'
import { behindAny, behindDescriptor, mayBeDescriptor } from './descriptor.ts'
import { lookup, type Scope } from './scope.ts'

const SINKS = new Set(['/dev/null', '/dev/tty', '/dev/zero'])

/** What is written there goes nowhere. */
const isDevice = (path: string): boolean => SINKS.has(path)

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
    if (at === null || to === null || /^~\w/.test(to) || at.length + to.length > MAX_FOLDER) return null
    at = join(at, to)
  }
  return at
}

const UNTOLD: Place = { lexical: null }

/** The files an argument may name, and what the links among them lead to that the same line has made. */
export function places(arg: Arg, scope: Scope, action: 'read' | 'write' | 'delete'): readonly Place[] {
  const named = namedPlaces(arg, scope)
  const all = scope.links.size === 0 ? named : [...named, ...named.flatMap(place => behind(place, scope))]
  if (action === 'delete') return all
  if (action === 'write' && arg.text === null && !arg.pipe && mayBeDescriptor(arg.head))
    return [...all, ...behindAny(scope.descriptors)]
  return all.flatMap(place => throughDescriptor(place, scope, action === 'write'))
}

/** To write to a descriptor's path is to write to the file behind it. What is read there was read when it was opened. */
function throughDescriptor(place: Place, { descriptors }: Scope, writes: boolean): readonly Place[] {
  const path = place.lexical
  if (path === null || !path.startsWith('/')) return [place]
  const files = behindDescriptor(path, descriptors)
  if (files !== undefined) return [...(path.includes('..') ? [place] : []), ...(writes ? files : [])]
  return writes && place.glob && mayBeDescriptor(path) ? [place, ...behindAny(descriptors)] : [place]
}

const behind = (place: Place, { links }: Scope): readonly Place[] =>
  [...links].flatMap(([link, to]) => {
    const path = plain(place.lexical ?? '')
    return path === link || path.startsWith(`${link}/`) ? [{ ...place, lexical: to + path.slice(link.length) }] : []
  })

const plain = (path: string): string => path.replace(/^(\.\/+)+/, '')

const MAX_LINKS = 16

/**
 * `ln -s to at`: what is written to one is written to the other. `to` is seen from where the link is; that of a hard link, from
 * where the command is.
 */
export function noteLink(to: string, at: string, scope: Scope, isHard = false): void {
  if (scope.links.size >= MAX_LINKS) return
  for (const folder of scope.cwds) {
    if (folder === null) continue
    const link = plain(join(folder, at))
    scope.links.set(link, join(isHard ? folder : link.slice(0, Math.max(link.lastIndexOf('/'), 0)), to))
  }
}

/** What `~name/x` is to zsh where the line sets `name`: the value and the rest. Undefined for what has no name behind the `~`. */
export function namedFolders(path: string, scope: Scope): readonly string[] | undefined {
  const [, name, rest = ''] = /^~([A-Za-z_][\w.-]*)(\/.*)?$/s.exec(path) ?? []
  if (name === undefined) return undefined
  const value = lookup(scope, name)
  return [...(value === null ? [] : [value]), ...(scope.held.get(name) ?? [])]
    .filter(one => !one.startsWith('~'))
    .map(one => one + rest)
}

/** A name in which wildcards count. */
export const withWildcards = (text: string): Arg => ({ ...literal(text), glob: /[*?[]/.test(text) })

/** One for each folder the command may run in; none for a device. */
function namedPlaces(arg: Arg, scope: Scope): readonly Place[] {
  const { text, glob } = arg
  if (arg.pipe) return []
  if (text === null && arg.patterns !== undefined)
    return [UNTOLD, ...arg.patterns.flatMap(one => namedPlaces(withWildcards(one), scope))]
  if (text === null) return arg.found ? [UNTOLD, ...foundPlaces(arg.found, scope)] : [UNTOLD]
  if (text === '' || isDevice(text)) return []
  if (text.startsWith('~') && (scope.homeless || /^~[-+\d]/.test(text))) return [UNTOLD]
  const folders = namedFolders(text, scope)
  if (folders !== undefined)
    return [UNTOLD, ...folders.flatMap(one => namedPlaces({ ...arg, text: one, head: one }, scope))]
  const inner = underCwd(text)
  if (inner === undefined && isRooted(text)) return [glob ? { lexical: text, glob } : { lexical: text }]
  return scope.cwds.map(folder => {
    if (folder === null) return UNTOLD
    const lexical = join(folder, inner ?? text)
    return glob || scope.wildCwds.has(folder) ? { lexical, glob: true } : { lexical }
  })
}

/** `/proc/self/cwd/x` is `x` in the folder the command runs in. */
const underCwd = (text: string): string | undefined =>
  /^\/+proc\/+(?:self|thread-self)\/+cwd(?:\/+(.*))?$/s.exec(text)?.[1] ??
  (/^\/+proc\/+(?:self|thread-self)\/+cwd$/.test(text) ? '.' : undefined)

const MAX_FINDS = 16

/** `ls -d .c*`: what a wildcard names may become a word of a later command, as what a search finds. */
export function noteListed(args: readonly Arg[], scope: Scope): void {
  for (const arg of args) {
    const wild = arg.glob && arg.text !== null ? [arg.text] : (arg.patterns ?? [])
    // most lists are of plain files in one folder, and are only looked at
    const far = wild.filter(text => /(^|\/)\.(?!\.?(\/|$))|[*?[][^/]*\/+[^/]/.test(text))
    const room = MAX_FINDS - scope.finds.length
    scope.finds.push(...far.flatMap(text => namedPlaces(withWildcards(text), scope)).slice(0, Math.max(room, 0)))
  }
}

/**
 * A search of this line: any of what it finds may become a word of a later command. Without names, the folder one is in is left
 * out: that is what most searches are about.
 */
export function noteFind(found: NonNullable<Arg['found']>, scope: Scope): void {
  const far = found.named ? found.below : found.below.filter(({ text }) => !/^\.?\/?$/.test(text ?? '.'))
  const room = MAX_FINDS - scope.finds.length
  if (far.length > 0 && room > 0) scope.finds.push(...foundPlaces({ ...found, below: far }, scope).slice(0, room))
}

const foundPlaces = ({ below, named }: NonNullable<Arg['found']>, scope: Scope): readonly Place[] =>
  below.flatMap(arg => namedPlaces(arg, scope)).map(place => ({ ...place, whole: true, ...(named && { named }) }))
