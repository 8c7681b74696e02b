import type { Query } from '../../api/request.ts'
import type { Route } from '../../route/route.ts'

/** What may be asked for, as it stands in the address. */
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

/** Those of them that a link brings along. */
export const DETAIL_KEYS = ['gate', 'rule', 'session', 'subagent', 'event', 'tool', 'since', 'until', 'all'] as const

export const DECISION_WORDS = ['deny', 'ask', 'error', 'warn', 'would', 'bypass', 'allow', 'pass'] as const

export const filterOf = ({ query }: Route): Query =>
  Object.fromEntries(FILTER_KEYS.map(key => [key, query.get(key) ?? undefined]))

export const chosenDecisions = ({ query }: Route): ReadonlySet<string> =>
  new Set((query.get('decision') ?? '').split(',').filter(Boolean))

/** The word in or out; none is all of them. */
export function toggleDecision(chosen: ReadonlySet<string>, word: string): string | undefined {
  const next = new Set(chosen)
  if (!next.delete(word)) next.add(word)
  return [...next].join(',') || undefined
}

/** Beside the project, which is no filter to who looks at one. */
export const hasFilter = (filter: Query): boolean =>
  Object.entries(filter).some(([key, value]) => value !== undefined && key !== 'project')
