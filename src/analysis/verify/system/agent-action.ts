import type { EventKind } from '../../../engine/index.ts'
import { actionsOf, type Event, type Gate, type Rule, type Transition } from '../../../engine/index.ts'
import { candidateRules, triggerEventKinds } from '../abstraction/condition-atoms.ts'
import { type MayMustEvaluator, TRUE_BIT, UNKNOWN_BIT } from '../abstraction/may-must-evaluator.ts'
import { mayCountEvent } from '../abstraction/operation-counters.ts'
import type { SampleCall } from '../abstraction/residual-condition.ts'
import { possibleCallEndings, reportedCaller, toCallEndEvent, toCaller } from './call-endings.ts'
import type { ClientProfile } from './client-profile.ts'

/** Something an agent can do: a tool call from beginning to end, the stop of a subagent, the end of a turn. */
export interface AgentAction {
  readonly actor: string
  readonly call?: SampleCall
  /** type of the agent that the action spawns */
  readonly spawns?: string
  /** the events that the client sends for it, in order; the beginning comes first */
  readonly events: readonly Event[]
  readonly key: string
}

/** Memoised: clients that report a call alike share the action object, and with it the cached answers about its events. */
export function actionForCall(call: SampleCall, actor: string, profile: ClientProfile): AgentAction {
  const starts = profile.sendsEvent('agent.start')
  const permits = profile.sendsEvent('permission.request')
  const as = profile.omitsAgentTypes ? 'untyped' : (profile.mainType ?? '')
  const shape = [
    actor,
    as,
    starts,
    permits,
    profile.sendsEvent('tool.failed'),
    profile.reportsStatus(call.beforeEvent),
    profile.infersCallers,
  ].join()
  return memoizeByKey(ACTIONS_BY_CALL, call, shape, () => {
    const { beforeEvent } = call
    const started = memoizeByKey(EVENT_VARIANTS, beforeEvent, `begin ${actor} ${as}`, () => ({
      ...beforeEvent,
      caller: reportedCaller(actor, profile),
    }))
    const spawns = actor === 'main' ? call.spawns : undefined
    const reported: readonly Event[] = [
      started,
      ...(spawns !== undefined && starts
        ? [memoizeByKey(EVENT_VARIANTS, beforeEvent, `start ${spawns} ${as}`, () => toAgentStartEvent(started, spawns))]
        : []),
      ...(permits
        ? [
            memoizeByKey(EVENT_VARIANTS, beforeEvent, `permission ${actor} ${as}`, () => ({
              ...started,
              kind: 'permission.request' as const,
            })),
          ]
        : []),
      ...possibleCallEndings(profile, started, { isAttested: call.isAttested, isStatusRead: true }).map(
        ({ kind, status, attestedStatus }) =>
          memoizeByKey(EVENT_VARIANTS, beforeEvent, `${kind} ${status} ${attestedStatus} ${actor} ${as}`, () =>
            toCallEndEvent(started, kind, status, attestedStatus),
          ),
      ),
    ]
    const key = `${actor} ${JSON.stringify(call.shorthand)}${call.isApproved ? ' approved' : ''}`
    const events = reported.flatMap(event => withUnknownCaller(event, profile))
    return { actor, call, events, key, ...(spawns !== undefined && { spawns }) }
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

/** The start of a spawned agent: a client may let it be refused even if the spawning call was allowed. */
function toAgentStartEvent({ call: _, ...event }: Event, agent: string): Event {
  return { ...event, kind: 'agent.start', caller: toCaller(agent), agent }
}

/** Clients with inferred callers may send the event with an unknown caller. */
const withUnknownCaller = (event: Event, { infersCallers }: ClientProfile): readonly Event[] =>
  infersCallers && event.caller.kind === 'agent'
    ? [event, memoizeByKey(EVENT_VARIANTS, event, 'unknown', () => ({ ...event, caller: { kind: 'unknown' } }))]
    : [event]

/** Can the event trigger this transition in some state? */
export function mayTriggerTransition(
  transition: Transition,
  event: Event,
  mayMust: MayMustEvaluator,
  approved = false,
): boolean {
  if (!triggerEventKinds(transition).includes(event.kind)) return false
  return (
    mayMust.memoize(transition, event, approved, () =>
      computeMayTrigger(transition, event, mayMust, approved) ? 1 : 0,
    ) === 1
  )
}

function computeMayTrigger(
  { to, when }: Transition,
  event: Event,
  mayMust: MayMustEvaluator,
  approved: boolean,
): boolean {
  const wanted = to === 'closed' ? TRUE_BIT | UNKNOWN_BIT : TRUE_BIT
  return actionsOf(event).some(
    act => (mayMust.truthSetOf(when, act, event, to === 'open' ? 'all' : 'any', approved) & wanted) !== 0,
  )
}

/** Does the event trigger this transition in every state? */
export const mustTriggerTransition = (
  transition: Transition,
  event: Event,
  mayMust: MayMustEvaluator,
  approved: boolean,
): boolean =>
  actionsOf(event).some(act => mayMust.truthSetOf(transition.when, act, event, 'all', approved) === TRUE_BIT)

/** Can the event's capture be rejected because it violates the schema? */
export const mayRejectCapture = (transition: Transition, event: Event, mayMust: MayMustEvaluator): boolean =>
  transition.invalid !== undefined &&
  transition.invalid.then !== 'warn' &&
  mayTriggerTransition(transition, event, mayMust)

/** Can the rule fire in some state: with a true condition (`sure`), with an unknown one (`unsure`)? */
export function mayRuleFire(
  rule: Rule,
  event: Event,
  mayMust: MayMustEvaluator,
  approved = false,
): { sure: boolean; unsure: boolean } {
  if (!rule.events.includes(event.kind)) return NEVER_FIRES
  const answers = mayMust.memoize(rule, event, approved, () => ruleTruthSet(rule, event, mayMust, approved))
  return {
    sure: (answers & TRUE_BIT) !== 0,
    unsure: (answers & UNKNOWN_BIT) !== 0 && rule.unsure !== 'pass' && rule.then !== 'allow',
  }
}

const NEVER_FIRES = { sure: false, unsure: false }

function ruleTruthSet(rule: Rule, event: Event, mayMust: MayMustEvaluator, approved: boolean): number {
  let answers = 0
  for (const act of actionsOf(event)) {
    const when = mayMust.truthSetOf(rule.when, act, event, rule.then === 'allow' ? 'all' : 'any', approved)
    const cleared = rule.unless ? mayMust.truthSetOf(rule.unless, act, event, 'all', approved) === TRUE_BIT : false
    if (!cleared) answers |= when
  }
  return answers
}

/** Can a rule of this gate refuse the event on this client? */
export function mayGateRefuse(
  gate: Gate,
  event: Event,
  mayMust: MayMustEvaluator,
  profile: ClientProfile,
  approved = false,
): boolean {
  if (gate.mode !== 'block' || !profile.canRefuse(event.kind)) return false
  return candidateRules(gate, event).some(rule => mayRuleRefuse(rule, event, mayMust, profile, approved))
}

/** Can a rule of this gate ask a person about the event? */
export const mayGateAsk = (gate: Gate, event: Event, mayMust: MayMustEvaluator, approved = false): boolean =>
  gate.mode === 'block' &&
  candidateRules(gate, event).some(rule => {
    const { sure, unsure } = mayRuleFire(rule, event, mayMust, approved)
    return (sure && rule.then === 'ask') || (unsure && rule.unsure === 'ask')
  })

/** On clients that cannot ask a person, `ask` becomes a refusal. */
export const isRefusal = (decision: string, kind: EventKind, profile: ClientProfile): boolean =>
  decision === 'deny' || (decision === 'ask' && !profile.canAsk(kind))

export function mayRuleRefuse(
  rule: Rule,
  event: Event,
  mayMust: MayMustEvaluator,
  profile: ClientProfile,
  approved = false,
): boolean {
  const [sureRefuses, unsureRefuses] = [rule.then, rule.unsure].map(decision =>
    isRefusal(decision, event.kind, profile),
  )
  if (!sureRefuses && !unsureRefuses) return false
  const { sure, unsure } = mayRuleFire(rule, event, mayMust, approved)
  return (sure && sureRefuses === true) || (unsure && unsureRefuses === true)
}

/** The events of an action that a gate can refuse, so that the action does not happen. */
export const refusableEvents = ({ events, spawns }: AgentAction): readonly Event[] =>
  events.filter(
    ({ kind }) =>
      kind === 'tool.before' ||
      kind === 'agent.stop' ||
      kind === 'turn.stop' ||
      kind === 'prompt.submit' ||
      (kind === 'agent.start' && spawns !== undefined),
  )

/** Does any gate react to the event (`isObserved`), and can a transition capture an answer from it? */
export interface EventRelevance {
  readonly isObserved: boolean
  readonly captures: boolean
}

/** The parts of a call that gates react to: its beginning, and which of its endings. */
export interface CallRelevance {
  readonly isBeginObserved: boolean
  readonly endings: ReadonlyMap<string, EventRelevance>
}

export const callEndKey = ({ kind, call }: Event): string => {
  const ended = call?.acts[0]?.ended
  return `${kind} ${ended ?? call?.status}`
}

/** How these gates may react to an event. */
export function eventRelevanceOf(
  event: Event,
  gates: readonly Gate[],
  mayMust: MayMustEvaluator,
  approved?: boolean,
): EventRelevance {
  let isObserved = false
  let captures = false
  for (const gate of gates) {
    const transitions = gate.transitions.filter(transition =>
      mayTriggerTransition(transition, event, mayMust, approved),
    )
    isObserved ||=
      transitions.length > 0 ||
      mayCountEvent(gate, event, mayMust, approved) ||
      mayAnyRuleFire(gate, event, mayMust, approved)
    captures ||= transitions.some(transition => transition.capture)
  }
  return { isObserved, captures }
}

/** How these gates may react to the events of a call. */
export function callRelevanceOf(
  { events, call }: AgentAction,
  gates: readonly Gate[],
  mayMust: MayMustEvaluator,
): CallRelevance {
  let begins = false
  const ends = new Map<string, EventRelevance>()
  for (const event of events) {
    const { isObserved, captures } = eventRelevanceOf(event, gates, mayMust, call?.isApproved)
    const isEnd = event.kind === 'tool.after' || event.kind === 'tool.failed'
    const known = ends.get(callEndKey(event))
    if (isEnd)
      ends.set(callEndKey(event), {
        isObserved: isObserved || !!known?.isObserved,
        captures: captures || !!known?.captures,
      })
    else begins ||= isObserved
  }
  return { isBeginObserved: begins, endings: ends }
}

const mayAnyRuleFire = (gate: Gate, event: Event, mayMust: MayMustEvaluator, approved: boolean | undefined): boolean =>
  candidateRules(gate, event).some(rule => {
    const { sure, unsure } = mayRuleFire(rule, event, mayMust, approved)
    return sure || unsure
  })
