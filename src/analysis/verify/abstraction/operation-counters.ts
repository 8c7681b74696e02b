import type { Condition, EventKind } from '../../../engine/index.ts'
import { actionsOf, type Event, type Gate } from '../../../engine/index.ts'
import { type Atom, atomsOfGate } from './condition-atoms.ts'
import { type MayMustEvaluator, TRUE_BIT } from './may-must-evaluator.ts'

/** Can the gate's `counts` condition match the event? Gates without `counts` count calls. */
export const mayCountEvent = ({ counts }: Gate, event: Event, mayMust: MayMustEvaluator, approved = false): boolean =>
  counts !== undefined &&
  actionsOf(event).some(act => (mayMust.truthSetOf(counts, act, event, 'any', approved) & TRUE_BIT) !== 0)

/** Does a condition of the gate have an operation threshold? */
export const hasOperationCounter = (gate: Gate): boolean =>
  atomsOfGate(gate).some(atom => atom.key === 'since' && atom.counters.some(counter => counter.unit === 'operations'))

/** Event kinds that the gate's `counts` condition can match. */
export const countedEventKinds = ({ counts }: Gate): readonly EventKind[] =>
  counts === undefined ? [] : (eventKindsMatching(counts) ?? ALL_EVENT_KINDS)

const CALL_EVENTS: readonly EventKind[] = ['tool.before', 'permission.request', 'tool.after', 'tool.failed']
const AGENT_EVENTS: readonly EventKind[] = ['agent.start', 'agent.stop']
const PROMPT_EVENTS: readonly EventKind[] = ['prompt.submit']
const ALL_EVENT_KINDS: readonly EventKind[] = [
  ...CALL_EVENTS,
  ...AGENT_EVENTS,
  ...PROMPT_EVENTS,
  'turn.stop',
  'session.start',
  'session.end',
]

/** Undefined: every kind. */
function eventKindsMatching(condition: Condition): readonly EventKind[] | undefined {
  if ('not' in condition) return undefined
  if ('with' in condition) return CALL_EVENTS
  if ('any' in condition) {
    const each = condition.any.map(eventKindsMatching)
    return each.some(one => one === undefined) ? undefined : each.flatMap(one => one ?? [])
  }
  if (!('all' in condition)) return eventKindsOfAtom(condition)
  const [first, ...rest] = condition.all.flatMap(condition => {
    const kinds = eventKindsMatching(condition)
    return kinds ? [kinds] : []
  })
  return first?.filter(kind => rest.every(one => one.includes(kind)))
}

function eventKindsOfAtom(atom: Atom): readonly EventKind[] | undefined {
  if (atom.key === 'event') return atom.in
  if (atom.key === 'prompt' || atom.key === 'source') return PROMPT_EVENTS
  if (atom.key === 'agent') return [...AGENT_EVENTS, ...CALL_EVENTS]
  return CALL_ONLY_KEYS.has(atom.key) ? CALL_EVENTS : undefined
}

/** Keys that match only events with a call. */
const CALL_ONLY_KEYS: ReadonlySet<string> = new Set('tool action command path file url text input succeeded'.split(' '))
