import type { Gate } from '../core/index.ts'
import type { Condition } from '../pattern/index.ts'

/** What was just opened is still open for what comes next: it is closed by counting from there, and not at once. */
export const staysAWhile = ({ transitions, counts }: Gate, operations: number): boolean => {
  // one call may be counted by its own words at its beginning and at its end, or not at all
  const least = { ...LEAST, operations: counts ? Infinity : operations }
  return transitions.every(
    ({ clock, to, when }) => !clock || to === 'open' || partsOf(when).some(one => isCountFromThere(one, least)),
  )
}

const partsOf = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])

const isCountFromThere = (condition: Condition, least: typeof LEAST): boolean =>
  'key' in condition &&
  condition.key === 'since' &&
  condition.counters.some(({ mark, unit, atLeast }) => mark === 'opened' && atLeast >= least[unit])

const LEAST = { operations: 1, turns: 1, seconds: 1 }

export const closesByClock = ({ transitions }: Gate): boolean =>
  transitions.some(one => one.clock && one.to === 'closed')

/** One memory that every caller shares. */
export const isPlain = ({ initial, scope }: Gate): boolean => initial !== undefined && scope !== 'agent'
