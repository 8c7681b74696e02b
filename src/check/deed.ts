import { actsOf, type Event, type Gate, type Rule, type Transition } from '../core/index.ts'
import type { EventKind } from '../pattern/index.ts'
import { kindsOf, rulesFor } from './atom.ts'
import type { Call } from './call.ts'
import { mayCount } from './counting.ts'
import { type Oracle, TRUE, UNKNOWN } from './possible.ts'
import { callerIn, callerOf, endOf, endsOf } from './telling.ts'
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

/** The same call by the same doer, for clients that tell of it alike, is the same deed: what is known of its events is known for all of them. */
export function callDeed(call: Call, by: string, view: View): Deed {
  const starts = view.has('agent.start')
  const permits = view.has('permission.request')
  const as = view.untyped ? 'untyped' : (view.mainType ?? '')
  const shape = [by, as, starts, permits, view.has('tool.failed'), view.reports(call.before), view.inferred].join()
  return onceOf(DEEDS, call, shape, () => {
    const { before } = call
    const started = onceOf(EVENTS, before, `begin ${by} ${as}`, () => ({ ...before, caller: callerIn(by, view) }))
    const spawns = by === 'main' ? call.spawns : undefined
    const told: readonly Event[] = [
      started,
      ...(spawns !== undefined && starts
        ? [onceOf(EVENTS, before, `start ${spawns} ${as}`, () => startOf(started, spawns))]
        : []),
      ...(permits
        ? [
            onceOf(EVENTS, before, `permission ${by} ${as}`, () => ({
              ...started,
              kind: 'permission.request' as const,
            })),
          ]
        : []),
      ...endsOf(view, started, { witnessed: call.witnessed, asked: true }).map(({ kind, status, ended }) =>
        onceOf(EVENTS, before, `${kind} ${status} ${ended} ${by} ${as}`, () => endOf(started, kind, status, ended)),
      ),
    ]
    const key = `${by} ${JSON.stringify(call.short)}${call.approved ? ' approved' : ''}`
    const events = told.flatMap(event => seenBy(event, view))
    return { by, call, events, key, ...(spawns !== undefined && { spawns }) }
  })
}

const DEEDS = new WeakMap<Call, Map<string, Deed>>()
const EVENTS = new WeakMap<Event, Map<string, Event>>()

function onceOf<K extends object, T>(known: WeakMap<K, Map<string, T>>, of: K, key: string, make: () => T): T {
  let all = known.get(of)
  if (!all) {
    all = new Map<string, T>()
    known.set(of, all)
  }
  const found = all.get(key)
  if (found !== undefined) return found
  const made = make()
  all.set(key, made)
  return made
}

/** Whom it spawns begins: a client may let that be refused where the call was not. */
function startOf({ call: _, ...event }: Event, agent: string): Event {
  return { ...event, kind: 'agent.start', caller: callerOf(agent), agent }
}

/** Where callers are inferred it may be that nobody knows whose event it is. */
const seenBy = (event: Event, { inferred }: View): readonly Event[] =>
  inferred && event.caller.kind === 'agent'
    ? [event, onceOf(EVENTS, event, 'unknown', () => ({ ...event, caller: { kind: 'unknown' } }))]
    : [event]

/** Could the event make this transition happen, whatever the states are? */
export function mayHappen(step: Transition, event: Event, oracle: Oracle, approved = false): boolean {
  if (!kindsOf(step).includes(event.kind)) return false
  return oracle.known(step, event, approved, () => (happensWith(step, event, oracle, approved) ? 1 : 0)) === 1
}

function happensWith({ to, when }: Transition, event: Event, oracle: Oracle, approved: boolean): boolean {
  const wanted = to === 'closed' ? TRUE | UNKNOWN : TRUE
  return actsOf(event).some(
    act => (oracle.answers(when, act, event, to === 'open' ? 'all' : 'any', approved) & wanted) !== 0,
  )
}

/** Does it, whatever the states are? */
export const isSure = (step: Transition, event: Event, oracle: Oracle, approved: boolean): boolean =>
  actsOf(event).some(act => oracle.answers(step.when, act, event, 'all', approved) === TRUE)

/** What it captures may be refused for its form. */
export const mayObject = (step: Transition, event: Event, oracle: Oracle): boolean =>
  step.invalid !== undefined && step.invalid.then !== 'warn' && mayHappen(step, event, oracle)

/** Could the rule fire, and what would it say? */
export function mayFire(
  rule: Rule,
  event: Event,
  oracle: Oracle,
  approved = false,
): { sure: boolean; unsure: boolean } {
  if (!rule.events.includes(event.kind)) return SILENT
  const answers = oracle.known(rule, event, approved, () => answersOf(rule, event, oracle, approved))
  return {
    sure: (answers & TRUE) !== 0,
    unsure: (answers & UNKNOWN) !== 0 && rule.unsure !== 'pass' && rule.then !== 'allow',
  }
}

const SILENT = { sure: false, unsure: false }

function answersOf(rule: Rule, event: Event, oracle: Oracle, approved: boolean): number {
  let answers = 0
  for (const act of actsOf(event)) {
    const when = oracle.answers(rule.when, act, event, rule.then === 'allow' ? 'all' : 'any', approved)
    const cleared = rule.unless ? oracle.answers(rule.unless, act, event, 'all', approved) === TRUE : false
    if (!cleared) answers |= when
  }
  return answers
}

/** Could one of its rules refuse the event on such a client? */
export function mayRefuse(gate: Gate, event: Event, oracle: Oracle, view: View, approved = false): boolean {
  if (gate.mode !== 'block' || !view.refuses(event.kind)) return false
  return rulesFor(gate, event).some(rule => mayBeRefusedBy(rule, event, oracle, view, approved))
}

/** Could one of its rules ask a person about it? */
export const mayAsk = (gate: Gate, event: Event, oracle: Oracle, approved = false): boolean =>
  gate.mode === 'block' &&
  rulesFor(gate, event).some(rule => {
    const { sure, unsure } = mayFire(rule, event, oracle, approved)
    return (sure && rule.then === 'ask') || (unsure && rule.unsure === 'ask')
  })

/** Where nobody can be asked, an `ask` refuses. */
export const isRefusal = (says: string, kind: EventKind, view: View): boolean =>
  says === 'deny' || (says === 'ask' && !view.asks(kind))

export function mayBeRefusedBy(rule: Rule, event: Event, oracle: Oracle, view: View, approved = false): boolean {
  const [sureRefuses, unsureRefuses] = [rule.then, rule.unsure].map(says => isRefusal(says, event.kind, view))
  if (!sureRefuses && !unsureRefuses) return false
  const { sure, unsure } = mayFire(rule, event, oracle, approved)
  return (sure && sureRefuses === true) || (unsure && unsureRefuses === true)
}

/** The events of a deed that a refusal keeps from happening. */
export const refusable = ({ events, spawns }: Deed): readonly Event[] =>
  events.filter(
    ({ kind }) =>
      kind === 'tool.before' ||
      kind === 'agent.stop' ||
      kind === 'turn.stop' ||
      kind === 'prompt.submit' ||
      (kind === 'agent.start' && spawns !== undefined),
  )

/** Does anything speak of an event, and may it be asked for an answer? */
export interface Hearing {
  readonly told: boolean
  readonly captures: boolean
}

/** Where in a call anything speaks of it: at its beginning, and at which of its ends. */
export interface Bearing {
  readonly begins: boolean
  readonly ends: ReadonlyMap<string, Hearing>
}

export const endKey = ({ kind, call }: Event): string => {
  const ended = call?.acts[0]?.ended
  return `${kind} ${ended ?? call?.status}`
}

/** What may come of an event, as far as these gates are concerned. */
export function hearingOf(event: Event, gates: readonly Gate[], oracle: Oracle, approved?: boolean): Hearing {
  let told = false
  let captures = false
  for (const gate of gates) {
    const steps = gate.transitions.filter(one => mayHappen(one, event, oracle, approved))
    told ||= steps.length > 0 || mayCount(gate, event, oracle, approved) || mayHear(gate, event, oracle, approved)
    captures ||= steps.some(one => one.capture)
  }
  return { told, captures }
}

/** What may come of a call. */
export function bearingOf({ events, call }: Deed, gates: readonly Gate[], oracle: Oracle): Bearing {
  let begins = false
  const ends = new Map<string, Hearing>()
  for (const event of events) {
    const { told, captures } = hearingOf(event, gates, oracle, call?.approved)
    const isEnd = event.kind === 'tool.after' || event.kind === 'tool.failed'
    const known = ends.get(endKey(event))
    if (isEnd) ends.set(endKey(event), { told: told || !!known?.told, captures: captures || !!known?.captures })
    else begins ||= told
  }
  return { begins, ends }
}

const mayHear = (gate: Gate, event: Event, oracle: Oracle, approved: boolean | undefined): boolean =>
  rulesFor(gate, event).some(rule => {
    const { sure, unsure } = mayFire(rule, event, oracle, approved)
    return sure || unsure
  })
