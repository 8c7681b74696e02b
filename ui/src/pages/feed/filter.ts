import type { Query } from '../../api/ask.ts'
import type { Route } from '../../route/route.ts'

/** What may be asked for, as it stands in the address. */
export const KEYS = [
  'decision',
  'client',
  'gate',
  'rule',
  'session',
  'tool',
  'subagent',
  'event',
  'text',
  'since',
  'until',
  'all',
  'project',
] as const

/** Those of them that a link brings along. */
export const NARROW = ['gate', 'rule', 'session', 'subagent', 'event', 'tool', 'since', 'until', 'all'] as const

export const WORDS = ['deny', 'ask', 'error', 'warn', 'would', 'bypass', 'allow', 'pass'] as const

export const filterIn = ({ query }: Route): Query =>
  Object.fromEntries(KEYS.map(key => [key, query.get(key) ?? undefined]))

export const chosenIn = ({ query }: Route): ReadonlySet<string> =>
  new Set((query.get('decision') ?? '').split(',').filter(Boolean))

/** The word in or out; none is all of them. */
export function turned(chosen: ReadonlySet<string>, word: string): string | undefined {
  const next = new Set(chosen)
  if (!next.delete(word)) next.add(word)
  return [...next].join(',') || undefined
}

/** Beside the project, which is no filter to who looks at one. */
export const isAsked = (filter: Query): boolean =>
  Object.entries(filter).some(([key, value]) => value !== undefined && key !== 'project')
