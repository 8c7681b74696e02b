import type { Place } from '../pattern/index.ts'

/** What a file descriptor leads to. */
export interface Opened {
  /** the files that the line opened there, for reading or for writing */
  readonly places: readonly Place[]
  /** false where it may lead to another file too */
  readonly sure: boolean
}

/** By number; replaced, never changed, so forks may share it. */
export type Descriptors = ReadonlyMap<number, Opened>

const NOTHING: Opened = { places: [], sure: true }
const ANYTHING: Opened = { places: [], sure: false }

/** The key of descriptors whose number only the shell knows: `{fd}<file`. */
export const UNNUMBERED = -1
const MAX_PLACES = 16

/** Output goes to whoever started the line. What input comes from is not known. */
export const STANDARD: Descriptors = new Map([
  [1, NOTHING],
  [2, NOTHING],
])

/** The table with one more file behind the descriptor. What was there before may still be in use somewhere. */
export function open(descriptors: Descriptors, number: number, opened: Opened): Descriptors {
  const before = descriptors.get(number)?.places ?? []
  const places = before.length === 0 ? opened.places : [...before, ...opened.places]
  const fits = places.length <= MAX_PLACES
  return new Map(descriptors).set(number, fits ? { places, sure: opened.sure } : ANYTHING)
}

/** Text from the line itself or from a pipe: there is no file. */
export const openPipe = (descriptors: Descriptors, number: number): Descriptors => open(descriptors, number, NOTHING)

/** What a copy of the descriptor leads to. */
export const openedAt = (descriptors: Descriptors, number: number): Opened => descriptors.get(number) ?? ANYTHING

const UNTOLD: Place = { lexical: null }
const STREAMS = ['stdin', 'stdout', 'stderr']
const PATH =
  /^\/(?:dev\/(?:(std(?:in|out|err))(?=\/|$)|fd(?=\/|$))|proc\/([^/]+)\/(?:task\/[^/]+\/)?fd(?=\/|$))(?:\/(\d+)(?=\/|$))?(.*)$/s

interface DescriptorPath {
  /** undefined where it cannot be told which one */
  readonly number: number | undefined
  /** what follows, if the descriptor is that of a folder */
  readonly rest: string
}

/** `/dev/stdin`, `/dev/fd/3`, `/proc/self/fd/3`: to open it opens the file behind the descriptor once more. */
export function descriptorPath(path: string): DescriptorPath | undefined {
  if (!path.startsWith('/')) return undefined
  const found = PATH.exec(normal(path))
  if (found === null) return undefined
  const [, stream, owner = 'self', digits, rest = ''] = found
  if (stream !== undefined)
    return { number: STREAMS.indexOf(stream), rest: digits === undefined ? rest : `/${digits}${rest}` }
  const own = owner === 'self' || owner === 'thread-self'
  return { number: own && digits !== undefined ? Number(digits) : undefined, rest: digits === undefined ? '' : rest }
}

function normal(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** The files behind a path; undefined where it is no path to a descriptor. */
export function behindDescriptor(path: string, descriptors: Descriptors): readonly Place[] | undefined {
  const found = descriptorPath(path)
  if (found === undefined) return undefined
  const { number, rest } = found
  const opened = number === undefined ? undefined : descriptors.get(number)
  const places = (opened?.places ?? everyPlace(descriptors, number)).map(place => below(place, rest))
  return opened?.sure ? places : [...places, UNTOLD]
}

/** All that may be behind a descriptor that cannot be told. */
const everyPlace = (descriptors: Descriptors, number?: number): readonly Place[] =>
  number === undefined
    ? [...descriptors.values()].flatMap(({ places }) => places)
    : (descriptors.get(UNNUMBERED)?.places ?? [])

const below = (place: Place, rest: string): Place =>
  rest === '' || rest === '/' || place.lexical === null ? place : { ...place, lexical: place.lexical + rest }

/** Whether a path that begins like this, or a pattern, may lead to a descriptor. */
export const mayBeDescriptor = (start: string): boolean => {
  const known = normal(start.replace(/[*?[{].*$/s, ''))
  return (
    start.startsWith('/') && ['/dev/', '/proc/'].some(root => `${known}/`.startsWith(root) || root.startsWith(known))
  )
}

/** The files behind every descriptor, for a path that cannot be told. */
export const behindAny = (descriptors: Descriptors): readonly Place[] => [...everyPlace(descriptors), UNTOLD]

/**
 * Puts a command's redirections in force; the function that it gives takes them back, unless the command keeps them open or
 * has opened something by itself.
 */
export function enter(
  scope: { descriptors: Descriptors; readonly certain: boolean },
  descriptors: Descriptors | undefined,
  keeps: 'yes' | 'maybe' | 'no',
): () => void {
  const before = scope.descriptors
  if (descriptors === undefined) return () => undefined
  scope.descriptors = descriptors
  return () => {
    if (keeps === 'no' && scope.descriptors === descriptors) scope.descriptors = before
    if (keeps === 'maybe' || (keeps === 'yes' && !scope.certain)) scope.descriptors = either(before, scope.descriptors)
  }
}

/** What is opened only perhaps. */
const either = (before: Descriptors, after: Descriptors): Descriptors =>
  new Map(
    [...after].map(([number, opened]) => [
      number,
      { ...opened, sure: opened.sure && before.get(number)?.sure === true },
    ]),
  )
