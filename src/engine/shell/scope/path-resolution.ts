import type { PathRef } from '../../match/path-ref.ts'
import { type Arg, literalArg } from '../calls/argument.ts'
import { filesBehindAnyDescriptor, filesBehindPath, mayBeDescriptorPath } from './file-descriptors.ts'
import { addLink, linkTargetsOf } from './links.ts'
import { loosePaths } from './loose-reading.ts'
import { lookupVariable } from './scope.ts'
import type { ShellScope } from './shell-scope.ts'

const SINK_DEVICES = new Set(['/dev/null', '/dev/tty', '/dev/zero'])

/** Devices that store nothing. */
const isDevice = (path: string): boolean => SINK_DEVICES.has(path)

const isRootedPath = (path: string): boolean => path.startsWith('/') || path.startsWith('~')

export function joinPath(folder: string, path: string): string {
  if (folder === '' || isRootedPath(path)) return path
  if (path === '' || path === '.') return folder
  return folder.endsWith('/') ? folder + path : `${folder}/${path}`
}

export const MAX_FOLDER_LENGTH = 4096
const MAX_MOVES = 32

/** The folder after several folder changes. Null if one is unknown, or if there are more than MAX_MOVES. */
export function joinFolders(start: string | null, moves: readonly (string | null)[]): string | null {
  if (moves.length > MAX_MOVES) return null
  let at = start
  for (const to of moves) {
    if (at === null || to === null || /^~\w/.test(to) || at.length + to.length > MAX_FOLDER_LENGTH) return null
    at = joinPath(at, to)
  }
  return at
}

const UNKNOWN_PATH: PathRef = { lexical: null }

/** The files that an argument may name, and the targets of links that the same line has created. */
export function resolveArgumentPaths(
  arg: Arg,
  scope: ShellScope,
  action: 'read' | 'write' | 'delete',
): readonly PathRef[] {
  const named = pathsNamedBy(arg, scope)
  const all = scope.links.length === 0 ? named : [...named, ...named.flatMap(one => linkTargetsOf(one, scope.links))]
  if (action === 'delete') return all
  if (action === 'write' && arg.text === null && !arg.pipe && mayBeDescriptorPath(arg.head))
    return [...all, ...filesBehindAnyDescriptor(scope.descriptors)]
  return all.flatMap(place => resolveDescriptorPath(place, scope, action === 'write'))
}

/** Writing to a descriptor path writes to the file behind it. Reads were already recorded when the file was opened. */
function resolveDescriptorPath(place: PathRef, { descriptors }: ShellScope, writes: boolean): readonly PathRef[] {
  const path = place.lexical
  if (path === null || !path.startsWith('/')) return [place]
  const files = filesBehindPath(path, descriptors)
  if (files !== undefined) return [...(path.includes('..') ? [place] : []), ...(writes ? files : [])]
  return writes && place.glob && mayBeDescriptorPath(path) ? [place, ...filesBehindAnyDescriptor(descriptors)] : [place]
}

/**
 * `ln -s to at`: writing to one path writes to the other. A symbolic link's `to` is relative to the link's folder, a hard link's to the
 * command's folder. `$PWD/x` is read as `./x`, so what begins so may be either.
 */
export function noteLink(source: Arg, target: Arg, scope: ShellScope, isHard = false): void {
  const glob = source.glob || scope.cwds.some(folder => folder !== null && scope.wildCwds.has(folder))
  for (const at of pathsNamedBy(target, scope))
    for (const folder of scope.cwds)
      for (const to of targetsOfLink(source, at.lexical, folder, isHard))
        addLink(scope.links, { at: at.glob ? null : at.lexical, to, glob })
}

function targetsOfLink(
  { text }: Arg,
  at: string | null,
  folder: string | null,
  isHard: boolean,
): readonly (string | null)[] {
  if (text === null) return [null]
  if (isRootedPath(text)) return [text]
  const here = folder === null ? null : joinPath(folder, text)
  if (isHard) return [here]
  const beside = at === null ? null : joinPath(at.slice(0, Math.max(at.lastIndexOf('/'), 0)), text)
  return /^\.(\/|$)/.test(text) || at === null ? [here, beside] : [beside]
}

/** In zsh `~name/x` is the value of `name`, if the line sets it, plus `/x`. Undefined if no name follows the `~`. */
export function expandNamedFolder(path: string, scope: ShellScope): readonly string[] | undefined {
  const [, name, rest = ''] = /^~([A-Za-z_][\w.-]*)(\/.*)?$/s.exec(path) ?? []
  if (name === undefined) return undefined
  const value = lookupVariable(scope, name)
  return [...(value === null ? [] : [value]), ...(scope.possible.get(name) ?? [])]
    .filter(one => !one.startsWith('~'))
    .map(one => one + rest)
}

/** An argument whose wildcards count. */
export const wildcardArg = (text: string): Arg => ({ ...literalArg(text), glob: /[*?[]/.test(text) })

/** One path for each folder the command may run in; none for a device. */
function pathsNamedBy(arg: Arg, scope: ShellScope): readonly PathRef[] {
  const { text, glob } = arg
  if (arg.pipe) return []
  if (text === null && arg.patterns !== undefined)
    return [UNKNOWN_PATH, ...arg.patterns.flatMap(pattern => pathsNamedBy(wildcardArg(pattern), scope))]
  if (text === null) return arg.found ? [UNKNOWN_PATH, ...foundPaths(arg.found, scope)] : [UNKNOWN_PATH]
  if (text === '' || isDevice(text)) return []
  if (text.startsWith('~') && (scope.homeless || /^~[-+\d]/.test(text))) return [UNKNOWN_PATH]
  const folders = expandNamedFolder(text, scope)
  if (folders?.length === 0 && !scope.vars.has('root') && /^~root(\/|$)/.test(text))
    return pathsNamedBy({ ...arg, text: text.replace('~', '/') }, scope)
  if (folders?.length === 0) return [{ lexical: null, ofUser: text, ...(glob && { glob }) }]
  if (folders !== undefined)
    return [UNKNOWN_PATH, ...folders.flatMap(folder => pathsNamedBy({ ...arg, text: folder, head: folder }, scope))]
  const inner = underCwd(text)
  if (inner === undefined && isRootedPath(text))
    return loosePaths(glob ? { lexical: text, glob } : { lexical: text }, scope)
  return scope.cwds.flatMap(folder => {
    if (folder === null) return [UNKNOWN_PATH]
    const lexical = joinPath(folder, inner ?? text)
    return loosePaths(glob || scope.wildCwds.has(folder) ? { lexical, glob: true } : { lexical }, scope)
  })
}

/** `/proc/self/cwd/x` is `x` in the folder where the command runs. */
const underCwd = (text: string): string | undefined =>
  /^\/+proc\/+(?:self|thread-self)\/+cwd(?:\/+(.*))?$/s.exec(text)?.[1] ??
  (/^\/+proc\/+(?:self|thread-self)\/+cwd$/.test(text) ? '.' : undefined)

/** With more search results than this, the line is unreadable. */
export const MAX_FINDS = 256

/** True if a part of the wildcard names a hidden file, or if something follows a part with a wildcard. In linear time. */
function isHiddenOrDeeper(wildcard: string): boolean {
  const parts = wildcard.split('/').filter(part => part !== '')
  return parts.some(
    (part, at) =>
      (part.startsWith('.') && part !== '.' && part !== '..') || (at < parts.length - 1 && /[*?[]/.test(part)),
  )
}

/** `ls -d .c*`: files that match a wildcard may become words of a later command, like search results. */
export function noteWildcardMatches(args: readonly Arg[], scope: ShellScope): void {
  for (const arg of args) {
    const wild = arg.glob && arg.text !== null ? [arg.text] : (arg.patterns ?? [])
    // most lists name plain files in one folder and are only displayed, so they are skipped
    const far = wild.filter(isHiddenOrDeeper)
    if (scope.fed && scope.listings.length <= MAX_FINDS)
      scope.listings.push(...wild.flatMap(text => pathsNamedBy(wildcardArg(text), scope)))
    if (scope.finds.length <= MAX_FINDS)
      scope.finds.push(...far.flatMap(text => pathsNamedBy(wildcardArg(text), scope)))
  }
}

/**
 * Records a search in this line: any result may become a word of a later command. A search of the current folder without name
 * filters is skipped, because most searches are of this kind.
 */
export function noteFoundFiles(found: NonNullable<Arg['found']>, scope: ShellScope): void {
  const far = found.named ? found.below : found.below.filter(({ text }) => !/^\.?\/?$/.test(text ?? '.'))
  if (scope.finds.length <= MAX_FINDS) scope.finds.push(...foundPaths({ ...found, below: far }, scope))
}

const foundPaths = ({ below, named }: NonNullable<Arg['found']>, scope: ShellScope): readonly PathRef[] =>
  below.flatMap(arg => pathsNamedBy(arg, scope)).map(place => ({ ...place, whole: true, ...(named && { named }) }))

/** Notes files that `git add` puts into the index. */
export function noteStagedFiles(args: readonly Arg[], scope: ShellScope): void {
  if (scope.staged.length <= MAX_FINDS) scope.staged.push(...args.flatMap(arg => pathsNamedBy(arg, scope)))
}

/** `ls -A | xargs rm`: notes all that a command lists. `hidden`: also the files whose names begin with a dot. */
export function noteFolderContents(folders: readonly Arg[], hidden: boolean, scope: ShellScope): void {
  if (!scope.fed || scope.listings.length > MAX_FINDS) return
  for (const place of folders.flatMap(arg => pathsNamedBy(arg, scope))) {
    if (place.lexical === null) continue
    scope.listings.push(hidden ? { ...place, whole: true } : { lexical: joinPath(place.lexical, '*'), glob: true })
  }
}
