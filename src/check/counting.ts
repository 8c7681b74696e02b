import { actsOf, type Event, type Gate } from '../core/index.ts'
import type { Condition, EventKind } from '../pattern/index.ts'
import { type Atom, atomsOfGate } from './atom.ts'
import { type Oracle, TRUE } from './possible.ts'

/** May the event be one of those that the gate counts? Where it says nothing of that, calls are counted. */
export const mayCount = ({ counts }: Gate, event: Event, oracle: Oracle, approved = false): boolean =>
  counts !== undefined && actsOf(event).some(act => (oracle.answers(counts, act, event, 'any', approved) & TRUE) !== 0)

/** Does anything of the gate depend on a number of operations? */
export const isCounting = (gate: Gate): boolean =>
  atomsOfGate(gate).some(atom => atom.key === 'since' && atom.counters.some(one => one.unit === 'operations'))

/** The kinds of event that it may count by a condition of its own. */
export const kindsCounted = ({ counts }: Gate): readonly EventKind[] =>
  counts === undefined ? [] : (kindsOf(counts) ?? EVERY)

const CALLS: readonly EventKind[] = ['tool.before', 'permission.request', 'tool.after', 'tool.failed']
const AGENTS: readonly EventKind[] = ['agent.start', 'agent.stop']
const PROMPTS: readonly EventKind[] = ['prompt.submit']
const EVERY: readonly EventKind[] = [...CALLS, ...AGENTS, ...PROMPTS, 'turn.stop', 'session.start', 'session.end']

/** Undefined: every kind. */
function kindsOf(condition: Condition): readonly EventKind[] | undefined {
  if ('not' in condition) return undefined
  if ('any' in condition) {
    const each = condition.any.map(kindsOf)
    return each.some(one => one === undefined) ? undefined : each.flatMap(one => one ?? [])
  }
  if (!('all' in condition)) return kindsOfAtom(condition)
  const [first, ...rest] = condition.all.flatMap(one => {
    const kinds = kindsOf(one)
    return kinds ? [kinds] : []
  })
  return first?.filter(kind => rest.every(one => one.includes(kind)))
}

function kindsOfAtom(atom: Atom): readonly EventKind[] | undefined {
  if (atom.key === 'event') return atom.in
  if (atom.key === 'prompt' || atom.key === 'source') return PROMPTS
  if (atom.key === 'agent') return [...AGENTS, ...CALLS]
  return OF_CALLS.has(atom.key) ? CALLS : undefined
}

/** An event without a call is none of these. */
const OF_CALLS: ReadonlySet<string> = new Set(['tool', 'action', 'command', 'path', 'url', 'input', 'succeeded'])
