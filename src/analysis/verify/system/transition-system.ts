import type { EventKind } from '../../../engine/index.ts'
import {
  type EvaluationResult,
  type Event,
  evaluate,
  type Facts,
  type Program,
  type Session,
} from '../../../engine/index.ts'
import type { Json } from '../../../lib/json.ts'
import { atomsOfProgram } from '../abstraction/condition-atoms.ts'
import { isFreshCall } from '../abstraction/input-partitioning/sample-calls.ts'
import type { SampleCall } from '../abstraction/residual-condition.ts'
import { callEndKey, type EventRelevance } from './agent-action.ts'
import { AgentTransitions } from './agents/agent-transitions.ts'
import { endPendingCall, leaveCallRunning, startAnotherSession } from './async-calls.ts'
import { factsWithAnswer, possibleCallEndings, reportedCaller, toCallEndEvent } from './call-endings.ts'
import { type ClientProfile, eventKindsIn } from './client-profile.ts'
import { humanOpenings } from './human-transitions.ts'
import type { ControlState } from './state/control-state.ts'
import { START_TIME, StateSpace } from './state/state-space.ts'
import type { SystemState } from './state/system-state.ts'
import type { StateTransition, SystemStep } from './step.ts'
import { waitDurations } from './time-steps.ts'
import type { EventPlayer, TransitionSystemOptions } from './transition-system-options.ts'
import { TurnTransitions } from './turn-transitions.ts'

/** Going through so many gates takes about as long as evaluating one event. */
const GATES_PER_EVENT = 10

/** The cost of one pass over all gates, in evaluated events. */
export const eventsFor = ({ gates }: Program): number => Math.ceil(gates.length / GATES_PER_EVENT)

/** The transition system of one program for one client profile. Successors are computed with the real `evaluate`. */
export class TransitionSystem implements EventPlayer {
  readonly program: Program
  readonly profile: ClientProfile
  readonly states: StateSpace
  readonly agents: readonly string[]
  evaluations = 0
  /** transitions that were taken over from a state of the same kind, without an evaluation */
  derivations = 0
  readonly #options: TransitionSystemOptions
  readonly #eventKinds: ReadonlySet<EventKind>
  readonly #isStatusRead: boolean
  readonly #hasCounters: boolean
  readonly #agentTransitions: AgentTransitions
  readonly #turnTransitions: TurnTransitions
  readonly #waitDurations: readonly number[]
  readonly #cache = new Map<
    string,
    { readonly state: SystemState; readonly transitionsFrom: readonly StateTransition[] }
  >()

  constructor(options: TransitionSystemOptions) {
    this.#options = options
    this.program = options.program
    this.profile = options.profile
    this.agents = options.agents
    this.states = new StateSpace(options.program, options.root, options)
    this.#eventKinds = eventKindsIn(options.program)
    const atoms = atomsOfProgram(options.program)
    this.#turnTransitions = new TurnTransitions(this, options)
    this.#waitDurations = waitDurations(options.program)
    this.#isStatusRead = atoms.some(atom => atom.key === 'succeeded')
    this.#agentTransitions = new AgentTransitions(this, options, this.#isStatusRead)
    this.#hasCounters =
      atoms.some(atom => atom.key === 'since') ||
      this.program.gates.some(gate => gate.transitions.some(transition => transition.clock))
  }

  /** What exploring has cost, in events. A transition that is taken over copies the memory of every gate. */
  get cost(): number {
    return this.evaluations + this.derivations * eventsFor(this.program)
  }

  /** Evaluates only the first state of each kind. Other states of that kind have the same transitions with their own counts. */
  transitionsFrom(state: SystemState): readonly StateTransition[] {
    const isOwn = this.states.has(state)
    const known = isOwn ? this.#cache.get(state.region) : undefined
    const first = known ?? { state, transitionsFrom: this.#evaluatedTransitions(state) }
    if (isOwn && !known) this.#cache.set(state.region, first)
    if (first.state !== state) this.derivations += first.transitionsFrom.length
    const evaluated =
      first.state === state
        ? first.transitionsFrom
        : first.transitionsFrom.map(transition =>
            transition.unreduced
              ? {
                  ...transition,
                  to: this.states.transfer({ to: transition.to, unreduced: transition.unreduced }, first.state, state),
                }
              : transition,
          )
    const found = [...evaluated, ...this.#timeTransitions(state), ...humanOpenings(this, state)]
    return this.#options.hasSecondSession ? [...found, startAnotherSession(this.states, state)] : found
  }

  #evaluatedTransitions(state: SystemState): readonly StateTransition[] {
    const found: StateTransition[] = []
    for (const call of this.#options.calls)
      for (const actor of this.#callers(state, call))
        if (this.#isRelevantCall(call, actor)) found.push(...this.#callTransitions(state, call, actor))
    if (state.liveAgent) found.push(...this.#agentTransitions.endings(state, state.liveAgent))
    found.push(
      ...this.#turnTransitions.transitionsFrom(state),
      ...endPendingCall(this, state, this.#options.calls, this.#isStatusRead),
    )
    return found
  }

  /** A call that no gate reacts to changes no state, but it may count as an operation and triggers time-based transitions. */
  #isRelevantCall(call: SampleCall, actor: string): boolean {
    const relevance = this.#options.callRelevance(call, actor)
    const isObserved =
      !relevance || relevance.isBeginObserved || [...relevance.endings.values()].some(ending => ending.isObserved)
    const isCounted = isFreshCall(call) || this.#options.fillerCalls.has(call)
    return isObserved || call.spawns !== undefined || (this.#hasCounters && isCounted)
  }

  /** With inferred callers, the agent spawned last makes the calls, and only the main agent spawns. */
  #callers({ liveAgent, isAwaitingPrompt }: SystemState, { spawns }: SampleCall): readonly string[] {
    const main = isAwaitingPrompt ? [] : ['main']
    if (!liveAgent || (this.profile.infersCallers && spawns !== undefined)) return main
    return this.profile.infersCallers ? [liveAgent.type] : [...main, liveAgent.type]
  }

  /** The beginning of a call as this client reports it. */
  beginEvent(call: SampleCall, actor: string): Event {
    const { beforeEvent } = call
    const isInferred = this.profile.infersCallers && beforeEvent.call?.tool !== 'Agent'
    const caller = isInferred ? ({ kind: 'unknown' } as const) : reportedCaller(actor, this.profile)
    const id = call.spawns === undefined ? 'c' : `s-${call.spawns}`
    return {
      ...beforeEvent,
      client: this.#client,
      caller,
      ...(beforeEvent.call && { call: { ...beforeEvent.call, id } }),
    }
  }

  get #client(): string {
    return this.profile.clients[0] ?? ''
  }

  evaluate(event: Event, session: Session, more: Partial<Facts> = {}): EvaluationResult {
    this.evaluations++
    const facts: Facts = { now: START_TIME, env: this.#options.env, root: this.#options.root, ...more }
    const { program, profile } = this
    return evaluate(
      { event, session, program, facts, capabilities: profile.capabilities },
      { regex: this.#options.regex },
    )
  }

  #callTransitions(state: SystemState, call: SampleCall, actor: string): readonly StateTransition[] {
    if (call.isAttested && this.profile.reportsExit) return []
    const event = this.beginEvent(call, actor)
    const step = { actor, call }
    const requestResult =
      call.isApproved && this.#options.approvalRequest
        ? this.evaluate(this.beginEvent(this.#options.approvalRequest, actor), state.session)
        : undefined
    if (requestResult?.outcome.decision === 'deny')
      return [
        {
          step: { ...step, ending: 'refused' },
          ...this.states.reach(requestResult.session, state),
          results: [requestResult],
        },
      ]
    const beginResult = this.evaluate(event, state.session, { approved: call.isApproved })
    if (beginResult.outcome.decision === 'deny')
      return [
        {
          step: { ...step, ending: 'refused' },
          ...this.states.reach(beginResult.session, state),
          results: [beginResult],
        },
      ]
    const isAsked = beginResult.outcome.decision === 'ask'
    const declined: readonly StateTransition[] = isAsked
      ? [
          {
            step: { ...step, ending: 'declined' },
            ...this.states.reach(beginResult.session, state),
            results: [beginResult],
          },
        ]
      : []
    if (call.spawns !== undefined && actor === 'main' && !state.liveAgent)
      return [...declined, ...this.#agentTransitions.spawnTransitions(state, call.spawns, event, beginResult, step)]
    const left: StateTransition = {
      step: { ...step, ending: 'unreported' },
      ...this.states.reach(beginResult.session, state),
      results: [beginResult],
    }
    return [
      ...declined,
      left,
      ...(this.#options.asyncCalls.has(call)
        ? leaveCallRunning(this.states, state, beginResult, step, this.#options.calls.indexOf(call))
        : []),
      ...this.#endingTransitions(event, beginResult, step, state),
      ...this.#permissionTransitions(event, beginResult, step, state),
    ]
  }

  /** A client may send a permission request between the evaluation of a call and its execution. */
  #permissionTransitions(
    event: Event,
    beginResult: EvaluationResult,
    given: SystemStep,
    control: ControlState,
  ): readonly StateTransition[] {
    if (!this.isRelevantKind('permission.request')) return []
    const step: SystemStep = { ...given, asksPermission: true }
    const asked = this.evaluate({ ...event, kind: 'permission.request' }, beginResult.session)
    const end = asked.outcome.decision === 'deny' ? 'refused' : 'unreported'
    const results = [beginResult, asked]
    const first: StateTransition = {
      step: { ...step, ending: end },
      ...this.states.reach(asked.session, control),
      results,
    }
    if (end === 'refused') return [first]
    const endings = this.#endingTransitions(event, asked, step, control)
    return [first, ...endings.map(transition => ({ ...transition, results: [beginResult, ...transition.results] }))]
  }

  /** All possible endings of a call, as far as gates react to them. */
  #endingTransitions(
    event: Event,
    beginResult: EvaluationResult,
    step: SystemStep,
    control: ControlState,
  ): readonly StateTransition[] {
    const { call } = step
    const hasPendingEffects = beginResult.session.waiting.some(one => one.moves.length > 0)
    const relevance = call && this.#options.callRelevance(call, step.actor)
    return possibleCallEndings(this.profile, event, {
      isAttested: call?.isAttested,
      isStatusRead: this.#isStatusRead,
    }).flatMap(({ kind, status, attestedStatus }) => {
      const after = toCallEndEvent(event, kind, status, attestedStatus)
      const { isObserved, captures } = relevance
        ? (relevance.endings.get(callEndKey(after)) ?? IRRELEVANT)
        : FULLY_RELEVANT
      if (!hasPendingEffects && !isObserved) return []
      return (captures ? this.possibleAnswers : [undefined]).map(answer => {
        const result = this.evaluate(after, beginResult.session, {
          approved: call?.isApproved ?? false,
          ...factsWithAnswer(answer),
        })
        const end = attestedStatus ?? status
        return {
          step: { ...step, ending: end, ...(answer !== undefined && { answer }) },
          ...this.states.reach(result.session, control),
          results: [beginResult, result],
        }
      })
    })
  }

  /** Answers that may be captured; the first is none. */
  get possibleAnswers(): readonly (Json | undefined)[] {
    return [undefined, ...this.#options.constants.answers]
  }

  evaluateTurnEnd(state: SystemState): EvaluationResult {
    return this.evaluate(this.eventWithoutCall('turn.stop'), state.session)
  }

  /** Only time passes. */
  wait(state: SystemState, seconds: number): StateTransition {
    return { step: { actor: 'time', seconds }, to: this.states.afterSeconds(state, seconds), results: [] }
  }

  #timeTransitions(state: SystemState): readonly StateTransition[] {
    return this.#waitDurations.map(seconds => this.wait(state, seconds))
  }

  get mayRefuseEveryPrompt(): boolean {
    return this.#options.mayRefuseEveryPrompt
  }

  eventWithoutCall(kind: EventKind): Event {
    return { kind, client: this.#client, name: kind, session: 'proof', caller: reportedCaller('main', this.profile) }
  }

  /** Does the client send such events, and does the program name them? */
  isRelevantKind(kind: EventKind): boolean {
    return this.#eventKinds.has(kind) && this.profile.sendsEvent(kind)
  }
}

const FULLY_RELEVANT: EventRelevance = { isObserved: true, captures: true }
const IRRELEVANT: EventRelevance = { isObserved: false, captures: false }
