import type { Condition, Event, Gate } from '../../../engine/index.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { mayCountEvent } from '../abstraction/operation-counters.ts'
import { mayTriggerTransition } from '../system/agent-action.ts'

/**
 * Number of its own operations for which the gate stays open after it is opened, while the gates in `isOpen` are open. Infinity: no
 * time-based transition closes it. In a strategy no turn begins and no time passes.
 */
export function operationsUntilClosed({ transitions }: Gate, isOpen: (id: string) => boolean): number {
  const closing = transitions.filter(({ clock, to, from }) => clock && to === 'closed' && from.includes('open'))
  const each = closing.map(({ when }) =>
    Math.max(0, ...conjunctsOf(when).map(condition => conditionDuration(condition, isOpen))),
  )
  return Math.min(Infinity, ...each)
}

const conjunctsOf = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])

/** Number of operations for which this conjunct of the closing condition is certainly false. */
function conditionDuration(condition: Condition, isOpen: (id: string) => boolean): number {
  if (!('key' in condition)) return 0
  if (condition.key === 'gate')
    return condition.states.some(({ gate, state }) => isOpen(gate) && !state.includes('open')) ? Infinity : 0
  if (condition.key !== 'since') return 0
  const counted = condition.counters.filter(({ mark }) => mark === 'opened')
  return Math.max(0, ...counted.map(({ unit, atLeast }) => (unit === 'operations' || atLeast < 1 ? atLeast : Infinity)))
}

/** Upper bound on the operations of the gate among these events. */
export function operationsSpentBy(gate: Gate, events: readonly Event[], mayMust: MayMustEvaluator): number {
  const counted = events.filter(event =>
    gate.counts === undefined
      ? event.kind === 'tool.before'
      : [true, false].some(approved => mayCountEvent(gate, event, mayMust, approved)),
  )
  const kinds = new Map<string, Set<unknown>>()
  for (const { kind, call, agent } of counted) {
    const each = kinds.get(kind) ?? new Set()
    // variants of one event with different callers count once
    kinds.set(kind, each.add(call?.acts ?? agent))
  }
  return [...kinds.values()].reduce((sum, each) => sum + each.size, 0)
}

export const isClosedByClock = ({ transitions }: Gate): boolean =>
  transitions.some(transition => transition.clock && transition.to === 'closed')

/** Operations alone eventually close the gate, so the time it stays open after an opening is known. */
export const isExpiringGate = ({ counts, transitions }: Gate): boolean =>
  counts === undefined &&
  transitions.some(
    ({ clock, to, from, when }) => clock && to === 'closed' && from.includes('open') && isOperationCount(when),
  ) &&
  !transitions.some(({ clock, to }) => clock && to === 'open')

/** Number of operations that opens the gate, if no other time-based transition applies while it is closed. */
export function operationsUntilOpen({ transitions }: Gate): number | undefined {
  const clocked = transitions.filter(transition => transition.clock && transition.from.includes('closed'))
  const [first] = clocked
  if (!first || clocked.length > 1 || first.to !== 'open') return undefined
  const counters = 'key' in first.when && first.when.key === 'since' ? first.when.counters : []
  const isPlain =
    counters.length > 0 && counters.every(counter => counter.unit === 'operations' && counter.mark !== 'opened')
  return isPlain ? Math.max(...counters.map(counter => counter.atLeast)) : undefined
}

const isOperationCount = (condition: Condition): boolean =>
  'key' in condition &&
  condition.key === 'since' &&
  condition.counters.every(({ mark, unit }) => mark !== 'closed' && unit === 'operations')

/** Is elapsed time since its closing the only time-based condition that opens the gate? */
export const isOpenedByTime = ({ transitions }: Gate): boolean => {
  const clocked = transitions.filter(transition => transition.clock && transition.from.includes('closed'))
  return clocked.length > 0 && clocked.every(({ to, when }) => to === 'open' && isElapsedTime(when))
}

const isElapsedTime = (condition: Condition): boolean =>
  'key' in condition &&
  condition.key === 'since' &&
  condition.counters.every(({ mark, unit }) => mark !== 'opened' && unit === 'seconds')

/** May one of these events close the gate? */
export const mayCloseGate = ({ transitions }: Gate, events: readonly Event[], mayMust: MayMustEvaluator): boolean =>
  transitions.some(
    transition =>
      transition.to === 'closed' &&
      events.some(event => [true, false].some(approved => mayTriggerTransition(transition, event, mayMust, approved))),
  )
