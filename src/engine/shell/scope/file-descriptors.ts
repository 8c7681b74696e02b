import type { PathRef } from '../../match/path-ref.ts'

/** The files behind a file descriptor. */
export interface DescriptorTarget {
  /** files that the line opened on this descriptor, for reading or writing */
  readonly places: readonly PathRef[]
  /** false if the descriptor may also refer to another file */
  readonly sure: boolean
}

/** By descriptor number. The map is replaced, never changed, so forks may share it. */
export type DescriptorTable = ReadonlyMap<number, DescriptorTarget>

const NO_FILE: DescriptorTarget = { places: [], sure: true }
const ANY_FILE: DescriptorTarget = { places: [], sure: false }

/** The key for descriptors whose number only the shell knows: `{fd}<file`. */
export const UNKNOWN_DESCRIPTOR = -1
const MAX_FILES = 16

/** Output goes to the process that started the line. The source of standard input is unknown. */
export const STANDARD_DESCRIPTORS: DescriptorTable = new Map([
  [1, NO_FILE],
  [2, NO_FILE],
])

/** Adds a file to the descriptor and returns the new table. Earlier files stay, because they may still be in use. */
export function openDescriptor(
  descriptors: DescriptorTable,
  number: number,
  opened: DescriptorTarget,
): DescriptorTable {
  const before = descriptors.get(number)?.places ?? []
  const places = before.length === 0 ? opened.places : [...before, ...opened.places]
  const fits = places.length <= MAX_FILES
  return new Map(descriptors).set(number, fits ? { places, sure: opened.sure } : ANY_FILE)
}

/** Input from the line itself or from a pipe: no file is involved. */
export const openPipe = (descriptors: DescriptorTable, number: number): DescriptorTable =>
  openDescriptor(descriptors, number, NO_FILE)

/** The files that a copy of the descriptor refers to. */
export const descriptorTargetOf = (descriptors: DescriptorTable, number: number): DescriptorTarget =>
  descriptors.get(number) ?? ANY_FILE

const UNKNOWN_PATH: PathRef = { lexical: null }
const STREAMS = ['stdin', 'stdout', 'stderr']
const DESCRIPTOR_PATH =
  /^\/(?:dev\/(?:(std(?:in|out|err))(?=\/|$)|fd(?=\/|$))|proc\/([^/]+)\/(?:task\/[^/]+\/)?fd(?=\/|$))(?:\/(\d+)(?=\/|$))?(.*)$/s

interface DescriptorPath {
  /** undefined if the number is unknown */
  readonly number: number | undefined
  /** the path below the descriptor, if the descriptor is a folder */
  readonly rest: string
}

/** `/dev/stdin`, `/dev/fd/3`, `/proc/self/fd/3`: opening such a path opens the descriptor's file again. */
export function parseDescriptorPath(path: string): DescriptorPath | undefined {
  if (!path.startsWith('/')) return undefined
  const found = DESCRIPTOR_PATH.exec(normalizePath(path))
  if (found === null) return undefined
  const [, stream, owner = 'self', digits, rest = ''] = found
  if (stream !== undefined)
    return { number: STREAMS.indexOf(stream), rest: digits === undefined ? rest : `/${digits}${rest}` }
  const own = owner === 'self' || owner === 'thread-self'
  return { number: own && digits !== undefined ? Number(digits) : undefined, rest: digits === undefined ? '' : rest }
}

function normalizePath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** The files behind a path. Undefined if the path is not a descriptor path. */
export function filesBehindPath(path: string, descriptors: DescriptorTable): readonly PathRef[] | undefined {
  const found = parseDescriptorPath(path)
  if (found === undefined) return undefined
  const { number, rest } = found
  const opened = number === undefined ? undefined : descriptors.get(number)
  const places = (opened?.places ?? possibleFiles(descriptors, number)).map(place => appendPath(place, rest))
  return opened?.sure ? places : [...places, UNKNOWN_PATH]
}

/** All files that may be behind an unknown descriptor. */
const possibleFiles = (descriptors: DescriptorTable, number?: number): readonly PathRef[] =>
  number === undefined
    ? [...descriptors.values()].flatMap(({ places }) => places)
    : (descriptors.get(UNKNOWN_DESCRIPTOR)?.places ?? [])

const appendPath = (place: PathRef, rest: string): PathRef =>
  rest === '' || rest === '/' || place.lexical === null ? place : { ...place, lexical: place.lexical + rest }

/** True if a path or pattern with this beginning may be a descriptor path. */
export const mayBeDescriptorPath = (start: string): boolean => {
  const known = normalizePath(start.replace(/[*?[{].*$/s, ''))
  return (
    start.startsWith('/') && ['/dev/', '/proc/'].some(root => `${known}/`.startsWith(root) || root.startsWith(known))
  )
}

/** The files behind every descriptor, for an unknown path. */
export const filesBehindAnyDescriptor = (descriptors: DescriptorTable): readonly PathRef[] => [
  ...possibleFiles(descriptors),
  UNKNOWN_PATH,
]

/**
 * Applies a command's redirections to the scope. The returned function undoes them, unless the command keeps them open or
 * has opened something itself.
 */
export function enterRedirections(
  scope: { descriptors: DescriptorTable; readonly certain: boolean },
  descriptors: DescriptorTable,
  keeps: 'yes' | 'maybe' | 'no',
): () => void {
  const before = scope.descriptors
  scope.descriptors = descriptors
  return () => {
    if (keeps === 'no' && scope.descriptors === descriptors) scope.descriptors = before
    if (keeps === 'maybe' || (keeps === 'yes' && !scope.certain))
      scope.descriptors = mergeDescriptors(before, scope.descriptors)
  }
}

/** The table after redirections that may not have persisted. */
const mergeDescriptors = (before: DescriptorTable, after: DescriptorTable): DescriptorTable =>
  new Map(
    [...after].map(([number, opened]) => [
      number,
      { ...opened, sure: opened.sure && before.get(number)?.sure === true },
    ]),
  )
