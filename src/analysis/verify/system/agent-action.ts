import type { EventKind } from '../../../engine/index.ts'
import { actionsOf, type Event, type Gate, type Rule, type Transition } from '../../../engine/index.ts'
import { candidateRules, triggerEventKinds } from '../abstraction/condition-atoms.ts'
import type { SampleCall } from '../abstraction/input-partitioning/sample-calls.ts'
import { type MayMustEvaluator, TRUE_BIT, UNKNOWN_BIT } from '../abstraction/may-must-evaluator.ts'
import { mayCountEvent } from '../abstraction/operation-counters.ts'
import { possibleCallEndings, reportedCaller, toCallEndEvent, toCaller } from './call-endings.ts'
import type { ClientProfile } from './client-profile.ts'

/** Something an agent can do on its own: a call from beginning to end, the stop of an agent, the end of a turn. */
export interface AgentAction {
  readonly by: string
  readonly call?: SampleCall
  /** an agent of this type is started by it */
  readonly spawns?: string
  /** what is told of it, in order; the beginning first */
  readonly events: readonly Event[]
  readonly key: string
}

/** The same call by the same doer, for clients that tell of it alike, is the same deed: what is known of its events is known for all of them. */
export function actionForCall(call: SampleCall, by: string, view: ClientProfile): AgentAction {
  const starts = view.has('agent.start')
  const permits = view.has('permission.request')
  const as = view.untyped ? 'untyped' : (view.mainType ?? '')
  const shape = [by, as, starts, permits, view.has('tool.failed'), view.reports(call.before), view.inferred].join()
  return memoizeByKey(ACTIONS_BY_CALL, call, shape, () => {
    const { before } = call
    const started = memoizeByKey(EVENT_VARIANTS, before, `begin ${by} ${as}`, () => ({
      ...before,
      caller: reportedCaller(by, view),
    }))
    const spawns = by === 'main' ? call.spawns : undefined
    const told: readonly Event[] = [
      started,
      ...(spawns !== undefined && starts
        ? [memoizeByKey(EVENT_VARIANTS, before, `start ${spawns} ${as}`, () => toAgentStartEvent(started, spawns))]
        : []),
      ...(permits
        ? [
            memoizeByKey(EVENT_VARIANTS, before, `permission ${by} ${as}`, () => ({
              ...started,
              kind: 'permission.request' as const,
            })),
          ]
        : []),
      ...possibleCallEndings(view, started, { witnessed: call.witnessed, asked: true }).map(({ kind, status, ended }) =>
        memoizeByKey(EVENT_VARIANTS, before, `${kind} ${status} ${ended} ${by} ${as}`, () =>
          toCallEndEvent(started, kind, status, ended),
        ),
      ),
    ]
    const key = `${by} ${JSON.stringify(call.short)}${call.approved ? ' approved' : ''}`
    const events = told.flatMap(event => withUnknownCaller(event, view))
    return { by, call, events, key, ...(spawns !== undefined && { spawns }) }
  })
}

const ACTIONS_BY_CALL = new WeakMap<SampleCall, Map<string, AgentAction>>()
const EVENT_VARIANTS = new WeakMap<Event, Map<string, Event>>()

function memoizeByKey<K extends object, T>(known: WeakMap<K, Map<string, T>>, of: K, key: string, make: () => T): T {
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
function toAgentStartEvent({ call: _, ...event }: Event, agent: string): Event {
  return { ...event, kind: 'agent.start', caller: toCaller(agent), agent }
}

/** Where callers are inferred it may be that nobody knows whose event it is. */
const withUnknownCaller = (event: Event, { inferred }: ClientProfile): readonly Event[] =>
  inferred && event.caller.kind === 'agent'
    ? [event, memoizeByKey(EVENT_VARIANTS, event, 'unknown', () => ({ ...event, caller: { kind: 'unknown' } }))]
    : [event]

/** Could the event make this transition happen, whatever the states are? */
export function mayTriggerTransition(
  step: Transition,
  event: Event,
  oracle: MayMustEvaluator,
  approved = false,
): boolean {
  if (!triggerEventKinds(step).includes(event.kind)) return false
  return oracle.known(step, event, approved, () => (computeMayTrigger(step, event, oracle, approved) ? 1 : 0)) === 1
}

function computeMayTrigger(
  { to, when }: Transition,
  event: Event,
  oracle: MayMustEvaluator,
  approved: boolean,
): boolean {
  const wanted = to === 'closed' ? TRUE_BIT | UNKNOWN_BIT : TRUE_BIT
  return actionsOf(event).some(
    act => (oracle.answers(when, act, event, to === 'open' ? 'all' : 'any', approved) & wanted) !== 0,
  )
}

/** Does it, whatever the states are? */
export const mustTriggerTransition = (
  step: Transition,
  event: Event,
  oracle: MayMustEvaluator,
  approved: boolean,
): boolean => actionsOf(event).some(act => oracle.answers(step.when, act, event, 'all', approved) === TRUE_BIT)

/** What it captures may be refused for its form. */
export const mayRejectCapture = (step: Transition, event: Event, oracle: MayMustEvaluator): boolean =>
  step.invalid !== undefined && step.invalid.then !== 'warn' && mayTriggerTransition(step, event, oracle)

/** Could the rule fire, and what would it say? */
export function mayRuleFire(
  rule: Rule,
  event: Event,
  oracle: MayMustEvaluator,
  approved = false,
): { sure: boolean; unsure: boolean } {
  if (!rule.events.includes(event.kind)) return NEVER_FIRES
  const answers = oracle.known(rule, event, approved, () => ruleTruthSet(rule, event, oracle, approved))
  return {
    sure: (answers & TRUE_BIT) !== 0,
    unsure: (answers & UNKNOWN_BIT) !== 0 && rule.unsure !== 'pass' && rule.then !== 'allow',
  }
}

const NEVER_FIRES = { sure: false, unsure: false }

function ruleTruthSet(rule: Rule, event: Event, oracle: MayMustEvaluator, approved: boolean): number {
  let answers = 0
  for (const act of actionsOf(event)) {
    const when = oracle.answers(rule.when, act, event, rule.then === 'allow' ? 'all' : 'any', approved)
    const cleared = rule.unless ? oracle.answers(rule.unless, act, event, 'all', approved) === TRUE_BIT : false
    if (!cleared) answers |= when
  }
  return answers
}

/** Could one of its rules refuse the event on such a client? */
export function mayGateRefuse(
  gate: Gate,
  event: Event,
  oracle: MayMustEvaluator,
  view: ClientProfile,
  approved = false,
): boolean {
  if (gate.mode !== 'block' || !view.refuses(event.kind)) return false
  return candidateRules(gate, event).some(rule => mayRuleRefuse(rule, event, oracle, view, approved))
}

/** Could one of its rules ask a person about it? */
export const mayGateAsk = (gate: Gate, event: Event, oracle: MayMustEvaluator, approved = false): boolean =>
  gate.mode === 'block' &&
  candidateRules(gate, event).some(rule => {
    const { sure, unsure } = mayRuleFire(rule, event, oracle, approved)
    return (sure && rule.then === 'ask') || (unsure && rule.unsure === 'ask')
  })

/** Where nobody can be asked, an `ask` refuses. */
export const isRefusal = (says: string, kind: EventKind, view: ClientProfile): boolean =>
  says === 'deny' || (says === 'ask' && !view.asks(kind))

export function mayRuleRefuse(
  rule: Rule,
  event: Event,
  oracle: MayMustEvaluator,
  view: ClientProfile,
  approved = false,
): boolean {
  const [sureRefuses, unsureRefuses] = [rule.then, rule.unsure].map(says => isRefusal(says, event.kind, view))
  if (!sureRefuses && !unsureRefuses) return false
  const { sure, unsure } = mayRuleFire(rule, event, oracle, approved)
  return (sure && sureRefuses === true) || (unsure && unsureRefuses === true)
}

/** The events of a deed that a refusal keeps from happening. */
export const refusableEvents = ({ events, spawns }: AgentAction): readonly Event[] =>
  events.filter(
    ({ kind }) =>
      kind === 'tool.before' ||
      kind === 'agent.stop' ||
      kind === 'turn.stop' ||
      kind === 'prompt.submit' ||
      (kind === 'agent.start' && spawns !== undefined),
  )

/** Does anything speak of an event, and may it be asked for an answer? */
export interface EventRelevance {
  readonly told: boolean
  readonly captures: boolean
}

/** Where in a call anything speaks of it: at its beginning, and at which of its ends. */
export interface CallRelevance {
  readonly begins: boolean
  readonly ends: ReadonlyMap<string, EventRelevance>
}

export const callEndKey = ({ kind, call }: Event): string => {
  const ended = call?.acts[0]?.ended
  return `${kind} ${ended ?? call?.status}`
}

/** What may come of an event, as far as these gates are concerned. */
export function eventRelevanceOf(
  event: Event,
  gates: readonly Gate[],
  oracle: MayMustEvaluator,
  approved?: boolean,
): EventRelevance {
  let told = false
  let captures = false
  for (const gate of gates) {
    const steps = gate.transitions.filter(one => mayTriggerTransition(one, event, oracle, approved))
    told ||=
      steps.length > 0 || mayCountEvent(gate, event, oracle, approved) || mayAnyRuleFire(gate, event, oracle, approved)
    captures ||= steps.some(one => one.capture)
  }
  return { told, captures }
}

/** What may come of a call. */
export function callRelevanceOf(
  { events, call }: AgentAction,
  gates: readonly Gate[],
  oracle: MayMustEvaluator,
): CallRelevance {
  let begins = false
  const ends = new Map<string, EventRelevance>()
  for (const event of events) {
    const { told, captures } = eventRelevanceOf(event, gates, oracle, call?.approved)
    const isEnd = event.kind === 'tool.after' || event.kind === 'tool.failed'
    const known = ends.get(callEndKey(event))
    if (isEnd) ends.set(callEndKey(event), { told: told || !!known?.told, captures: captures || !!known?.captures })
    else begins ||= told
  }
  return { begins, ends }
}

const mayAnyRuleFire = (gate: Gate, event: Event, oracle: MayMustEvaluator, approved: boolean | undefined): boolean =>
  candidateRules(gate, event).some(rule => {
    const { sure, unsure } = mayRuleFire(rule, event, oracle, approved)
    return sure || unsure
  })
