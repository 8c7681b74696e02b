import type { Event, Gate } from '../core/index.ts'
import type { Condition } from '../pattern/index.ts'
import { mayHappen } from './deed.ts'
import type { Oracle } from './possible.ts'

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

/** It is opened by nothing but the time since it was closed. */
export const opensByWaiting = ({ transitions }: Gate): boolean => {
  const clocked = transitions.filter(one => one.clock && one.from.includes('closed'))
  return clocked.length > 0 && clocked.every(({ to, when }) => to === 'open' && isTime(when))
}

const isTime = (condition: Condition): boolean =>
  'key' in condition &&
  condition.key === 'since' &&
  condition.counters.every(({ mark, unit }) => mark !== 'opened' && unit === 'seconds')

/** May one of these close it? */
export const mayClose = ({ transitions }: Gate, events: readonly Event[], oracle: Oracle): boolean =>
  transitions.some(
    step =>
      step.to === 'closed' &&
      events.some(event => [true, false].some(approved => mayHappen(step, event, oracle, approved))),
  )
