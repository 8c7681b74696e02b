import type { Condition, Event, Gate } from '../../../engine/index.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { mayCountEvent } from '../abstraction/operation-counters.ts'
import { mayTriggerTransition } from '../system/agent-action.ts'

/**
 * For how many operations of its own it stays open once it was opened, as long as these others are open; Infinity: until
 * something else than the clock closes it. In a way that is looked for no turn begins and no time is waited.
 */
export function operationsUntilClosed({ transitions }: Gate, isOpen: (id: string) => boolean): number {
  const closing = transitions.filter(({ clock, to, from }) => clock && to === 'closed' && from.includes('open'))
  const each = closing.map(({ when }) => Math.max(0, ...conjunctsOf(when).map(one => conditionDuration(one, isOpen))))
  return Math.min(Infinity, ...each)
}

const conjunctsOf = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])

/** How long one part of what closes it is surely not so. */
function conditionDuration(condition: Condition, isOpen: (id: string) => boolean): number {
  if (!('key' in condition)) return 0
  if (condition.key === 'gate')
    return condition.states.some(({ gate, state }) => isOpen(gate) && !state.includes('open')) ? Infinity : 0
  if (condition.key !== 'since') return 0
  const counted = condition.counters.filter(({ mark }) => mark === 'opened')
  return Math.max(0, ...counted.map(({ unit, atLeast }) => (unit === 'operations' || atLeast < 1 ? atLeast : Infinity)))
}

/** How many operations of the gate these are at most. */
export function operationsSpentBy(gate: Gate, events: readonly Event[], oracle: MayMustEvaluator): number {
  const counted = events.filter(event =>
    gate.counts === undefined
      ? event.kind === 'tool.before'
      : [true, false].some(approved => mayCountEvent(gate, event, oracle, approved)),
  )
  const kinds = new Map<string, Set<unknown>>()
  for (const { kind, call, agent } of counted) {
    const each = kinds.get(kind) ?? new Set()
    // taken for another's it is the same one
    kinds.set(kind, each.add(call?.acts ?? agent))
  }
  return [...kinds.values()].reduce((sum, each) => sum + each.size, 0)
}

export const isClosedByClock = ({ transitions }: Gate): boolean =>
  transitions.some(one => one.clock && one.to === 'closed')

/** Calls that change nothing close it in the end: then it is known how long it stays open once it is opened. */
export const isExpiringGate = ({ counts, transitions }: Gate): boolean =>
  counts === undefined &&
  transitions.some(
    ({ clock, to, from, when }) => clock && to === 'closed' && from.includes('open') && isOperationCount(when),
  ) &&
  !transitions.some(({ clock, to }) => clock && to === 'open')

/** So many operations open it, and nothing else of the clock does anything to it while it is closed. */
export function operationsUntilOpen({ transitions }: Gate): number | undefined {
  const clocked = transitions.filter(one => one.clock && one.from.includes('closed'))
  const [first] = clocked
  if (!first || clocked.length > 1 || first.to !== 'open') return undefined
  const counters = 'key' in first.when && first.when.key === 'since' ? first.when.counters : []
  const isPlain = counters.length > 0 && counters.every(one => one.unit === 'operations' && one.mark !== 'opened')
  return isPlain ? Math.max(...counters.map(one => one.atLeast)) : undefined
}

const isOperationCount = (condition: Condition): boolean =>
  'key' in condition &&
  condition.key === 'since' &&
  condition.counters.every(({ mark, unit }) => mark !== 'closed' && unit === 'operations')

/** It is opened by nothing but the time since it was closed. */
export const isOpenedByTime = ({ transitions }: Gate): boolean => {
  const clocked = transitions.filter(one => one.clock && one.from.includes('closed'))
  return clocked.length > 0 && clocked.every(({ to, when }) => to === 'open' && isElapsedTime(when))
}

const isElapsedTime = (condition: Condition): boolean =>
  'key' in condition &&
  condition.key === 'since' &&
  condition.counters.every(({ mark, unit }) => mark !== 'opened' && unit === 'seconds')

/** May one of these close it? */
export const mayCloseGate = ({ transitions }: Gate, events: readonly Event[], oracle: MayMustEvaluator): boolean =>
  transitions.some(
    step =>
      step.to === 'closed' &&
      events.some(event => [true, false].some(approved => mayTriggerTransition(step, event, oracle, approved))),
  )
