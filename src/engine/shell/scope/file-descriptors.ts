import type { PathRef } from '../../match/path-ref.ts'

/** What a file descriptor leads to. */
export interface DescriptorTarget {
  /** the files that the line opened there, for reading or for writing */
  readonly places: readonly PathRef[]
  /** false where it may lead to another file too */
  readonly sure: boolean
}

/** By number; replaced, never changed, so forks may share it. */
export type DescriptorTable = ReadonlyMap<number, DescriptorTarget>

const NO_FILE: DescriptorTarget = { places: [], sure: true }
const ANY_FILE: DescriptorTarget = { places: [], sure: false }

/** The key of descriptors whose number only the shell knows: `{fd}<file`. */
export const UNKNOWN_DESCRIPTOR = -1
const MAX_FILES = 16

/** Output goes to whoever started the line. What input comes from is not known. */
export const STANDARD_DESCRIPTORS: DescriptorTable = new Map([
  [1, NO_FILE],
  [2, NO_FILE],
])

/** The table with one more file behind the descriptor. What was there before may still be in use somewhere. */
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

/** Text from the line itself or from a pipe: there is no file. */
export const openPipe = (descriptors: DescriptorTable, number: number): DescriptorTable =>
  openDescriptor(descriptors, number, NO_FILE)

/** What a copy of the descriptor leads to. */
export const descriptorTargetOf = (descriptors: DescriptorTable, number: number): DescriptorTarget =>
  descriptors.get(number) ?? ANY_FILE

const UNKNOWN_PATH: PathRef = { lexical: null }
const STREAMS = ['stdin', 'stdout', 'stderr']
const DESCRIPTOR_PATH =
  /^\/(?:dev\/(?:(std(?:in|out|err))(?=\/|$)|fd(?=\/|$))|proc\/([^/]+)\/(?:task\/[^/]+\/)?fd(?=\/|$))(?:\/(\d+)(?=\/|$))?(.*)$/s

interface DescriptorPath {
  /** undefined where it cannot be told which one */
  readonly number: number | undefined
  /** what follows, if the descriptor is that of a folder */
  readonly rest: string
}

/** `/dev/stdin`, `/dev/fd/3`, `/proc/self/fd/3`: to open it opens the file behind the descriptor once more. */
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

/** The files behind a path; undefined where it is no path to a descriptor. */
export function filesBehindPath(path: string, descriptors: DescriptorTable): readonly PathRef[] | undefined {
  const found = parseDescriptorPath(path)
  if (found === undefined) return undefined
  const { number, rest } = found
  const opened = number === undefined ? undefined : descriptors.get(number)
  const places = (opened?.places ?? possibleFiles(descriptors, number)).map(place => appendPath(place, rest))
  return opened?.sure ? places : [...places, UNKNOWN_PATH]
}

/** All that may be behind a descriptor that cannot be told. */
const possibleFiles = (descriptors: DescriptorTable, number?: number): readonly PathRef[] =>
  number === undefined
    ? [...descriptors.values()].flatMap(({ places }) => places)
    : (descriptors.get(UNKNOWN_DESCRIPTOR)?.places ?? [])

const appendPath = (place: PathRef, rest: string): PathRef =>
  rest === '' || rest === '/' || place.lexical === null ? place : { ...place, lexical: place.lexical + rest }

/** Whether a path that begins like this, or a pattern, may lead to a descriptor. */
export const mayBeDescriptorPath = (start: string): boolean => {
  const known = normalizePath(start.replace(/[*?[{].*$/s, ''))
  return (
    start.startsWith('/') && ['/dev/', '/proc/'].some(root => `${known}/`.startsWith(root) || root.startsWith(known))
  )
}

/** The files behind every descriptor, for a path that cannot be told. */
export const filesBehindAnyDescriptor = (descriptors: DescriptorTable): readonly PathRef[] => [
  ...possibleFiles(descriptors),
  UNKNOWN_PATH,
]

/**
 * Puts a command's redirections in force; the function that it gives takes them back, unless the command keeps them open or
 * has opened something by itself.
 */
export function enterRedirections(
  scope: { descriptors: DescriptorTable; readonly certain: boolean },
  descriptors: DescriptorTable | undefined,
  keeps: 'yes' | 'maybe' | 'no',
): () => void {
  const before = scope.descriptors
  if (descriptors === undefined) return () => undefined
  scope.descriptors = descriptors
  return () => {
    if (keeps === 'no' && scope.descriptors === descriptors) scope.descriptors = before
    if (keeps === 'maybe' || (keeps === 'yes' && !scope.certain))
      scope.descriptors = mergeDescriptors(before, scope.descriptors)
  }
}

/** What is opened only perhaps. */
const mergeDescriptors = (before: DescriptorTable, after: DescriptorTable): DescriptorTable =>
  new Map(
    [...after].map(([number, opened]) => [
      number,
      { ...opened, sure: opened.sure && before.get(number)?.sure === true },
    ]),
  )
