import { actsOf, type Event, type Gate, type Rule, type Transition } from '../core/index.ts'
import type { EventKind } from '../pattern/index.ts'
import { rulesOf } from './atom.ts'
import type { Call } from './call.ts'
import { type Oracle, TRUE, UNKNOWN } from './possible.ts'
import { callerOf } from './telling.ts'
import type { View } from './view.ts'

/** Something an agent can do on its own: a call from beginning to end, the stop of an agent, the end of a turn. */
export interface Deed {
  readonly by: string
  readonly call?: Call
  /** an agent of this type is started by it */
  readonly spawns?: string
  /** what is told of it, in order; the beginning first */
  readonly events: readonly Event[]
  readonly key: string
}

export function callDeed(call: Call, by: string, view: View): Deed {
  const { before } = call
  const { call: inner } = before
  const started: Event = { ...before, caller: callerOf(by) }
  const end = (kind: EventKind, status: 'succeeded' | 'failed' | 'unknown'): Event => ({
    ...started,
    kind,
    ...(inner && {
      call: {
        ...inner,
        ...(call.witnessed && { acts: inner.acts.map(act => ({ ...act, ended: 'succeeded' as const })) }),
        status,
      },
    }),
  })
  const told: readonly Event[] = [
    started,
    ...(view.has('permission.request') ? [{ ...started, kind: 'permission.request' as const }] : []),
    ...(view.reportsStatus ? [end('tool.after', 'succeeded')] : []),
    end('tool.after', 'unknown'),
    ...(view.has('tool.failed') ? [end('tool.failed', 'failed')] : []),
  ]
  const key = `${by} ${JSON.stringify(call.short)}${call.approved ? ' approved' : ''}`
  return { by, call, events: told, key, ...(call.spawns !== undefined && by === 'main' && { spawns: call.spawns }) }
}

/** Could the event make this transition happen, whatever the states are? */
export function mayHappen(
  { to, when, clock, events }: Transition,
  event: Event,
  oracle: Oracle,
  approved = false,
): boolean {
  if (clock || !events.includes(event.kind)) return false
  const wanted = to === 'closed' ? TRUE | UNKNOWN : TRUE
  return actsOf(event).some(
    act => (oracle.answers(when, act, event, to === 'open' ? 'all' : 'any', approved) & wanted) !== 0,
  )
}

/** Could the rule fire, and what would it say? */
export function mayFire(
  rule: Rule,
  event: Event,
  oracle: Oracle,
  approved = false,
): { sure: boolean; unsure: boolean } {
  if (!rule.events.includes(event.kind)) return { sure: false, unsure: false }
  let answers = 0
  for (const act of actsOf(event)) {
    const when = oracle.answers(rule.when, act, event, rule.then === 'allow' ? 'all' : 'any', approved)
    const cleared = rule.unless ? oracle.answers(rule.unless, act, event, 'all', approved) === TRUE : false
    if (!cleared) answers |= when
  }
  return {
    sure: (answers & TRUE) !== 0,
    unsure: (answers & UNKNOWN) !== 0 && rule.unsure !== 'pass' && rule.then !== 'allow',
  }
}

/** Could one of its rules refuse the event on such a client? */
export function mayRefuse(gate: Gate, event: Event, oracle: Oracle, view: View, approved = false): boolean {
  if (gate.mode !== 'block' || !view.refuses(event.kind)) return false
  const isRefusal = (says: string): boolean => says === 'deny' || (says === 'ask' && !view.asks(event.kind))
  return rulesOf(gate).some(rule => {
    if (!isRefusal(rule.then) && !isRefusal(rule.unsure)) return false
    const { sure, unsure } = mayFire(rule, event, oracle, approved)
    return (sure && isRefusal(rule.then)) || (unsure && isRefusal(rule.unsure))
  })
}

/** The events of a deed that a refusal keeps from happening. */
export const refusable = ({ events }: Deed): readonly Event[] =>
  events.filter(({ kind }) => kind === 'tool.before' || kind === 'agent.stop' || kind === 'turn.stop')

/** Where in a call anything speaks of it. `captures`: its end may be asked for an answer. */
export interface Bearing {
  readonly begins: boolean
  readonly ends: boolean
  readonly captures: boolean
}

/** What may come of a call, as far as these gates are concerned. */
export function bearingOf({ events, call }: Deed, gates: readonly Gate[], oracle: Oracle): Bearing {
  let begins = false
  let ends = false
  let captures = false
  for (const event of events) {
    const isEnd = event.kind === 'tool.after' || event.kind === 'tool.failed'
    for (const gate of gates) {
      const steps = gate.transitions.filter(one => mayHappen(one, event, oracle, call?.approved))
      const isTold = steps.length > 0 || isCounted(gate, event, oracle) || mayHear(gate, event, oracle, call?.approved)
      if (isEnd) {
        ends ||= isTold
        captures ||= steps.some(one => one.capture)
      } else begins ||= isTold
    }
  }
  return { begins, ends, captures }
}

const mayHear = (gate: Gate, event: Event, oracle: Oracle, approved: boolean | undefined): boolean =>
  rulesOf(gate).some(rule => {
    const { sure, unsure } = mayFire(rule, event, oracle, approved)
    return sure || unsure
  })

const isCounted = ({ counts }: Gate, event: Event, oracle: Oracle): boolean =>
  counts !== undefined && actsOf(event).some(act => (oracle.answers(counts, act, event, 'any') & TRUE) !== 0)
