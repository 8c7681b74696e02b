import type { Query } from '../../api/request.ts'
import type { Route } from '../../route/route.ts'

/** Filters of the feed, as they appear in the address. */
export const FILTER_KEYS = [
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

/** Filters that only links set. */
export const DETAIL_KEYS = ['gate', 'rule', 'session', 'subagent', 'event', 'tool', 'since', 'until', 'all'] as const

export const DECISION_WORDS = ['deny', 'ask', 'error', 'warn', 'would', 'bypass', 'allow', 'pass'] as const

export const filterOf = ({ query }: Route): Query =>
  Object.fromEntries(FILTER_KEYS.map(key => [key, query.get(key) ?? undefined]))

export const chosenDecisions = ({ query }: Route): ReadonlySet<string> =>
  new Set((query.get('decision') ?? '').split(',').filter(Boolean))

/** Adds or removes the word; an empty filter means all. */
export function toggleDecision(chosen: ReadonlySet<string>, word: string): string | undefined {
  const next = new Set(chosen)
  if (!next.delete(word)) next.add(word)
  return [...next].join(',') || undefined
}

/** The project does not count as a filter. */
export const hasFilter = (filter: Query): boolean =>
  Object.entries(filter).some(([key, value]) => value !== undefined && key !== 'project')
