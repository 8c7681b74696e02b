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
export function actionForCall(call: SampleCall, by: string, view: ClientProfile): AgentAction {
  const starts = view.sendsEvent('agent.start')
  const permits = view.sendsEvent('permission.request')
  const as = view.omitsAgentTypes ? 'untyped' : (view.mainType ?? '')
  const shape = [
    by,
    as,
    starts,
    permits,
    view.sendsEvent('tool.failed'),
    view.reportsStatus(call.beforeEvent),
    view.infersCallers,
  ].join()
  return memoizeByKey(ACTIONS_BY_CALL, call, shape, () => {
    const { beforeEvent } = call
    const started = memoizeByKey(EVENT_VARIANTS, beforeEvent, `begin ${by} ${as}`, () => ({
      ...beforeEvent,
      caller: reportedCaller(by, view),
    }))
    const spawns = by === 'main' ? call.spawns : undefined
    const told: readonly Event[] = [
      started,
      ...(spawns !== undefined && starts
        ? [memoizeByKey(EVENT_VARIANTS, beforeEvent, `start ${spawns} ${as}`, () => toAgentStartEvent(started, spawns))]
        : []),
      ...(permits
        ? [
            memoizeByKey(EVENT_VARIANTS, beforeEvent, `permission ${by} ${as}`, () => ({
              ...started,
              kind: 'permission.request' as const,
            })),
          ]
        : []),
      ...possibleCallEndings(view, started, { isAttested: call.isAttested, isStatusRead: true }).map(
        ({ kind, status, attestedStatus }) =>
          memoizeByKey(EVENT_VARIANTS, beforeEvent, `${kind} ${status} ${attestedStatus} ${by} ${as}`, () =>
            toCallEndEvent(started, kind, status, attestedStatus),
          ),
      ),
    ]
    const key = `${by} ${JSON.stringify(call.shorthand)}${call.isApproved ? ' approved' : ''}`
    const events = told.flatMap(event => withUnknownCaller(event, view))
    return { actor: by, call, events, key, ...(spawns !== undefined && { spawns }) }
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
  step: Transition,
  event: Event,
  oracle: MayMustEvaluator,
  approved = false,
): boolean {
  if (!triggerEventKinds(step).includes(event.kind)) return false
  return oracle.memoize(step, event, approved, () => (computeMayTrigger(step, event, oracle, approved) ? 1 : 0)) === 1
}

function computeMayTrigger(
  { to, when }: Transition,
  event: Event,
  oracle: MayMustEvaluator,
  approved: boolean,
): boolean {
  const wanted = to === 'closed' ? TRUE_BIT | UNKNOWN_BIT : TRUE_BIT
  return actionsOf(event).some(
    act => (oracle.truthSetOf(when, act, event, to === 'open' ? 'all' : 'any', approved) & wanted) !== 0,
  )
}

/** Does the event trigger this transition in every state? */
export const mustTriggerTransition = (
  step: Transition,
  event: Event,
  oracle: MayMustEvaluator,
  approved: boolean,
): boolean => actionsOf(event).some(act => oracle.truthSetOf(step.when, act, event, 'all', approved) === TRUE_BIT)

/** Can the event's capture be rejected because it violates the schema? */
export const mayRejectCapture = (step: Transition, event: Event, oracle: MayMustEvaluator): boolean =>
  step.invalid !== undefined && step.invalid.then !== 'warn' && mayTriggerTransition(step, event, oracle)

/** Can the rule fire in some state: with a true condition (`sure`), with an unknown one (`unsure`)? */
export function mayRuleFire(
  rule: Rule,
  event: Event,
  oracle: MayMustEvaluator,
  approved = false,
): { sure: boolean; unsure: boolean } {
  if (!rule.events.includes(event.kind)) return NEVER_FIRES
  const answers = oracle.memoize(rule, event, approved, () => ruleTruthSet(rule, event, oracle, approved))
  return {
    sure: (answers & TRUE_BIT) !== 0,
    unsure: (answers & UNKNOWN_BIT) !== 0 && rule.unsure !== 'pass' && rule.then !== 'allow',
  }
}

const NEVER_FIRES = { sure: false, unsure: false }

function ruleTruthSet(rule: Rule, event: Event, oracle: MayMustEvaluator, approved: boolean): number {
  let answers = 0
  for (const act of actionsOf(event)) {
    const when = oracle.truthSetOf(rule.when, act, event, rule.then === 'allow' ? 'all' : 'any', approved)
    const cleared = rule.unless ? oracle.truthSetOf(rule.unless, act, event, 'all', approved) === TRUE_BIT : false
    if (!cleared) answers |= when
  }
  return answers
}

/** Can a rule of this gate refuse the event on this client? */
export function mayGateRefuse(
  gate: Gate,
  event: Event,
  oracle: MayMustEvaluator,
  view: ClientProfile,
  approved = false,
): boolean {
  if (gate.mode !== 'block' || !view.canRefuse(event.kind)) return false
  return candidateRules(gate, event).some(rule => mayRuleRefuse(rule, event, oracle, view, approved))
}

/** Can a rule of this gate ask a person about the event? */
export const mayGateAsk = (gate: Gate, event: Event, oracle: MayMustEvaluator, approved = false): boolean =>
  gate.mode === 'block' &&
  candidateRules(gate, event).some(rule => {
    const { sure, unsure } = mayRuleFire(rule, event, oracle, approved)
    return (sure && rule.then === 'ask') || (unsure && rule.unsure === 'ask')
  })

/** On clients that cannot ask a person, `ask` becomes a refusal. */
export const isRefusal = (says: string, kind: EventKind, view: ClientProfile): boolean =>
  says === 'deny' || (says === 'ask' && !view.canAsk(kind))

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

/** Does any gate react to the event (`told`), and can a transition capture an answer from it? */
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
  return { isObserved: told, captures }
}

/** How these gates may react to the events of a call. */
export function callRelevanceOf(
  { events, call }: AgentAction,
  gates: readonly Gate[],
  oracle: MayMustEvaluator,
): CallRelevance {
  let begins = false
  const ends = new Map<string, EventRelevance>()
  for (const event of events) {
    const { isObserved, captures } = eventRelevanceOf(event, gates, oracle, call?.isApproved)
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

const mayAnyRuleFire = (gate: Gate, event: Event, oracle: MayMustEvaluator, approved: boolean | undefined): boolean =>
  candidateRules(gate, event).some(rule => {
    const { sure, unsure } = mayRuleFire(rule, event, oracle, approved)
    return sure || unsure
  })
