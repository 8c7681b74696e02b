import { parseUrlParts } from './url.ts'

/** Characters in a gram. The compiler uses the same length. */
export const GRAM_LENGTH = 4

/** Finds the few routes among thousands that can match a URL. Positions refer to the route table. */
export interface RouteIndex {
  /** host → positions of routes whose url template names it */
  readonly hosts: Readonly<Record<string, readonly number[]>>
  /** four lower-case characters that any text matching the regex contains → positions */
  readonly grams: Readonly<Record<string, readonly number[]>>
  /** routes with neither: checked for every URL (and reported by the compiler) */
  readonly rest: readonly number[]
}

/** Positions of the routes that can match, in order. */
export function findRouteCandidates(index: RouteIndex, url: string | null | undefined): readonly number[] {
  if (!url) return index.rest
  const found = new Set<number>(index.rest)
  const text = url.toLowerCase()
  for (const at of row(index.hosts, parseUrlParts(text)?.host ?? '')) found.add(at)
  for (let at = 0; at + GRAM_LENGTH <= text.length; at++) {
    for (const position of row(index.grams, text.slice(at, at + GRAM_LENGTH))) found.add(position)
  }
  return [...found].sort((a, b) => a - b)
}

const NONE: readonly number[] = []

/** `Object.hasOwn`, because `constructor` can be part of a URL too. */
const row = (rows: Readonly<Record<string, readonly number[]>>, key: string): readonly number[] =>
  Object.hasOwn(rows, key) ? (rows[key] ?? NONE) : NONE
