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
import type { LiveAgent } from './agents/live-agents.ts'
import { endPendingCall, leaveCallRunning, startAnotherSession } from './async-calls.ts'
import { answerFacts, possibleCallEndings, reportedCaller, toCallEndEvent } from './call-endings.ts'
import { type ClientProfile, eventKindsIn } from './client-profile.ts'
import { humanOpenings } from './human-transitions.ts'
import { isAwaitingPrompt } from './pending-calls.ts'
import { START_TIME, StateSpace, type SystemState } from './state-space.ts'
import type { StateTransition, SystemStep } from './step.ts'
import { waitDurations } from './time-steps.ts'
import type { EventPlayer, TransitionSystemOptions } from './transition-system-options.ts'
import { TurnTransitions } from './turn-transitions.ts'

/** Going through so many gates takes about as long as evaluating one event. */
const GATES_PER_EVENT = 10

/** How many events going through all gates of the program costs. */
export const eventsFor = ({ gates }: Program): number => Math.ceil(gates.length / GATES_PER_EVENT)

/** The transition system of one program for one client profile. Successors are computed with the real `evaluate`. */
export class TransitionSystem implements EventPlayer {
  readonly program: Program
  readonly view: ClientProfile
  readonly states: StateSpace
  readonly agents: readonly string[]
  evaluations = 0
  /** transitions that were taken over from a state of the same kind, without an evaluation */
  derivations = 0
  readonly #parts: TransitionSystemOptions
  readonly #kinds: ReadonlySet<EventKind>
  readonly #asksStatus: boolean
  readonly #counts: boolean
  readonly #agents: AgentTransitions
  readonly #turns: TurnTransitions
  readonly #seconds: readonly number[]
  readonly #known = new Map<string, { readonly state: SystemState; readonly moves: readonly StateTransition[] }>()

  constructor(parts: TransitionSystemOptions) {
    this.#parts = parts
    this.program = parts.program
    this.view = parts.view
    this.agents = parts.agents
    this.states = new StateSpace(parts.program, parts.root, parts)
    this.#kinds = eventKindsIn(parts.program)
    const atoms = atomsOfProgram(parts.program)
    this.#turns = new TurnTransitions(this, parts)
    this.#seconds = waitDurations(parts.program)
    this.#asksStatus = atoms.some(atom => atom.key === 'succeeded')
    this.#agents = new AgentTransitions(this, parts, this.#asksStatus)
    this.#counts =
      atoms.some(atom => atom.key === 'since') ||
      this.program.gates.some(gate => gate.transitions.some(one => one.clock))
  }

  /** What exploring has cost, in events. A transition that is taken over copies the memory of every gate. */
  get cost(): number {
    return this.evaluations + this.derivations * eventsFor(this.program)
  }

  /** Evaluates only the first state of each kind. Other states of that kind have the same transitions with their own counts. */
  moves(state: SystemState): readonly StateTransition[] {
    const isOwn = this.states.has(state)
    const known = isOwn ? this.#known.get(state.kind) : undefined
    const first = known ?? { state, moves: this.#judged(state) }
    if (isOwn && !known) this.#known.set(state.kind, first)
    if (first.state !== state) this.derivations += first.moves.length
    const judged =
      first.state === state
        ? first.moves
        : first.moves.map(move =>
            move.left
              ? { ...move, to: this.states.likewise({ to: move.to, left: move.left }, first.state, state) }
              : move,
          )
    const found = [...judged, ...this.#waits(state), ...humanOpenings(this, state)]
    return this.#parts.shares ? [...found, startAnotherSession(this.states, state)] : found
  }

  #judged(state: SystemState): readonly StateTransition[] {
    const found: StateTransition[] = []
    for (const call of this.#parts.calls)
      for (const by of this.#callers(state, call))
        if (this.#isWorthwhile(call, by)) found.push(...this.#call(state, call, by))
    if (state.live) found.push(...this.#agents.ends(state, state.live))
    found.push(...this.#turns.moves(state), ...endPendingCall(this, state, this.#parts.calls, this.#asksStatus))
    return found
  }

  /** A call that no gate reacts to changes no state, but it may count as an operation and triggers time-based transitions. */
  #isWorthwhile(call: SampleCall, by: string): boolean {
    const bearing = this.#parts.bearing(call, by)
    const isHeard = !bearing || bearing.begins || [...bearing.ends.values()].some(one => one.told)
    const isCounted = isFreshCall(call) || this.#parts.counted.has(call)
    return isHeard || call.spawns !== undefined || (this.#counts && isCounted)
  }

  /** With inferred callers, the agent spawned last makes the calls, and only the main agent spawns. */
  #callers({ live, session }: SystemState, { spawns }: SampleCall): readonly string[] {
    const main = isAwaitingPrompt(session) ? [] : ['main']
    if (!live || (this.view.inferred && spawns !== undefined)) return main
    return this.view.inferred ? [live.type] : [...main, live.type]
  }

  /** The beginning of a call as this client reports it. */
  beginning(call: SampleCall, by: string): Event {
    const { before } = call
    const told = this.view.inferred && before.call?.tool !== 'Agent'
    const caller = told ? ({ kind: 'unknown' } as const) : reportedCaller(by, this.view)
    const id = call.spawns === undefined ? 'c' : `s-${call.spawns}`
    return { ...before, client: this.#client, caller, ...(before.call && { call: { ...before.call, id } }) }
  }

  get #client(): string {
    return this.view.clients[0] ?? ''
  }

  ask(event: Event, session: Session, more: Partial<Facts> = {}): EvaluationResult {
    this.evaluations++
    const facts: Facts = { now: START_TIME, env: this.#parts.env, root: this.#parts.root, ...more }
    const { program, view } = this
    return evaluate({ event, session, program, facts, capabilities: view.capabilities }, { regex: this.#parts.regex })
  }

  #call(state: SystemState, call: SampleCall, by: string): readonly StateTransition[] {
    const { live } = state
    if (call.witnessed && this.view.reportsExit) return []
    const event = this.beginning(call, by)
    const step = { by, call }
    const ordered =
      call.approved && this.#parts.order ? this.ask(this.beginning(this.#parts.order, by), state.session) : undefined
    if (ordered?.outcome.decision === 'deny')
      return [{ step: { ...step, end: 'refused' }, ...this.states.reached(ordered.session, live), results: [ordered] }]
    const begun = this.ask(event, state.session, { approved: call.approved })
    if (begun.outcome.decision === 'deny')
      return [{ step: { ...step, end: 'refused' }, ...this.states.reached(begun.session, live), results: [begun] }]
    const isAsked = begun.outcome.decision === 'ask'
    const declined: readonly StateTransition[] = isAsked
      ? [{ step: { ...step, end: 'asked' }, ...this.states.reached(begun.session, live), results: [begun] }]
      : []
    if (call.spawns !== undefined && by === 'main' && !live)
      return [...declined, ...this.#agents.spawn(call.spawns, event, begun, step)]
    const left: StateTransition = {
      step: { ...step, end: 'left' },
      ...this.states.reached(begun.session, live),
      results: [begun],
    }
    return [
      ...declined,
      left,
      ...(this.#parts.late.has(call)
        ? leaveCallRunning(this.states, state, begun, step, this.#parts.calls.indexOf(call))
        : []),
      ...this.#endings(event, begun, step, live),
      ...this.#permission(event, begun, step, live),
    ]
  }

  /** A client may send a permission request between the evaluation of a call and its execution. */
  #permission(
    event: Event,
    begun: EvaluationResult,
    given: SystemStep,
    live: LiveAgent | undefined,
  ): readonly StateTransition[] {
    if (!this.concerns('permission.request')) return []
    const step: SystemStep = { ...given, permission: true }
    const asked = this.ask({ ...event, kind: 'permission.request' }, begun.session)
    const end = asked.outcome.decision === 'deny' ? 'refused' : 'left'
    const results = [begun, asked]
    const first: StateTransition = { step: { ...step, end }, ...this.states.reached(asked.session, live), results }
    if (end === 'refused') return [first]
    const endings = this.#endings(event, asked, step, live)
    return [first, ...endings.map(move => ({ ...move, results: [begun, ...move.results] }))]
  }

  /** All possible endings of a call, as far as gates react to them. */
  #endings(
    event: Event,
    begun: EvaluationResult,
    step: SystemStep,
    live: LiveAgent | undefined,
  ): readonly StateTransition[] {
    const { call } = step
    const waits = begun.session.waiting.some(one => one.moves.length > 0)
    const bearing = call && this.#parts.bearing(call, step.by)
    return possibleCallEndings(this.view, event, { witnessed: call?.witnessed, asked: this.#asksStatus }).flatMap(
      ({ kind, status, ended }) => {
        const after = toCallEndEvent(event, kind, status, ended)
        const { told, captures } = bearing ? (bearing.ends.get(callEndKey(after)) ?? IRRELEVANT) : FULLY_RELEVANT
        if (!waits && !told) return []
        return (captures ? this.outputs : [undefined]).map(answer => {
          const result = this.ask(after, begun.session, { approved: call?.approved ?? false, ...answerFacts(answer) })
          const end = ended ?? status
          return {
            step: { ...step, end, ...(answer !== undefined && { answer }) },
            ...this.states.reached(result.session, live),
            results: [begun, result],
          }
        })
      },
    )
  }

  /** Answers that may be captured; the first is none. */
  get outputs(): readonly (Json | undefined)[] {
    return [undefined, ...this.#parts.constants.answers]
  }

  turnEnds(state: SystemState): EvaluationResult {
    return this.ask(this.bare('turn.stop'), state.session)
  }

  /** Only time passes. */
  wait(state: SystemState, seconds: number): StateTransition {
    return { step: { by: 'time', seconds }, to: this.states.later(state, seconds), results: [] }
  }

  #waits(state: SystemState): readonly StateTransition[] {
    return this.#seconds.map(seconds => this.wait(state, seconds))
  }

  get rests(): boolean {
    return this.#parts.rests
  }

  bare(kind: EventKind): Event {
    return { kind, client: this.#client, name: kind, session: 'proof', caller: reportedCaller('main', this.view) }
  }

  /** Does the client send such events, and does the program name them? */
  concerns(kind: EventKind): boolean {
    return this.#kinds.has(kind) && this.view.has(kind)
  }
}

const FULLY_RELEVANT: EventRelevance = { told: true, captures: true }
const IRRELEVANT: EventRelevance = { told: false, captures: false }
