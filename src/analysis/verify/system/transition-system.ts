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
import { atomsOfProgram, isClosedByPrompt } from '../abstraction/condition-atoms.ts'
import { isFreshCall, type SampleCall } from '../abstraction/input-partitioning/sample-calls.ts'
import { callEndKey, type EventRelevance } from './agent-action.ts'
import { endPendingCall, leaveCallRunning, startAnotherSession } from './async-calls.ts'
import {
  answerFacts,
  possibleCallEndings,
  reportedCaller,
  toCallEndEvent,
  toCaller,
  withoutSpawns,
} from './call-endings.ts'
import { type ClientProfile, eventKindsIn } from './client-profile.ts'
import { humanOpenings } from './human-transitions.ts'
import { isAwaitingPrompt } from './pending-calls.ts'
import { type LiveAgent, START_TIME, StateSpace, type SystemState } from './state-space.ts'
import type { SystemStep } from './step.ts'
import { waitDurations } from './time-steps.ts'
import type { TransitionSystemOptions } from './transition-system-options.ts'
import { TurnTransitions } from './turn-transitions.ts'

/** One step and what came of it. */
export interface StateTransition {
  readonly step: SystemStep
  readonly to: SystemState
  /** the answers to its events, in order */
  readonly results: readonly EvaluationResult[]
  /** the session before all was made equal that no later event can tell apart */
  readonly left?: Session
}

/** What can happen in a state, by the real `evaluate`: one policy, one kind of client. */
export class TransitionSystem {
  readonly program: Program
  readonly view: ClientProfile
  readonly states: StateSpace
  readonly agents: readonly string[]
  evaluations = 0
  readonly #parts: TransitionSystemOptions
  readonly #kinds: ReadonlySet<EventKind>
  readonly #asksStatus: boolean
  readonly #counts: boolean
  /** a prompt closes a gate: then it counts in which turn an agent began */
  readonly #late: boolean
  readonly #heard = new Map<string, EventRelevance>()
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
    this.#late = this.program.gates.some(isClosedByPrompt)
    this.#counts =
      atoms.some(atom => atom.key === 'since') ||
      this.program.gates.some(gate => gate.transitions.some(one => one.clock))
  }

  /** What follows for the first state of a kind is worked out, and for all others it is the same with their own counts. */
  moves(state: SystemState): readonly StateTransition[] {
    const isOwn = this.states.has(state)
    const known = isOwn ? this.#known.get(state.kind) : undefined
    const first = known ?? { state, moves: this.#judged(state) }
    if (isOwn && !known) this.#known.set(state.kind, first)
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
    if (state.live) found.push(...this.#ends(state, state.live))
    found.push(...this.#turns.moves(state), ...endPendingCall(this, state, this.#parts.calls, this.#asksStatus))
    return found
  }

  /** A call that nothing speaks of changes nothing, but it is counted, and it lets the clock be looked at. */
  #isWorthwhile(call: SampleCall, by: string): boolean {
    const bearing = this.#parts.bearing(call, by)
    const isHeard = !bearing || bearing.begins || [...bearing.ends.values()].some(one => one.told)
    const isCounted = isFreshCall(call) || this.#parts.counted.has(call)
    return isHeard || call.spawns !== undefined || (this.#counts && isCounted)
  }

  /** On a client that tells nobody apart, whoever was spawned last makes the calls, and the main agent alone spawns. */
  #callers({ live, session }: SystemState, { spawns }: SampleCall): readonly string[] {
    const main = isAwaitingPrompt(session) ? [] : ['main']
    if (!live || (this.view.inferred && spawns !== undefined)) return main
    return this.view.inferred ? [live.type] : [...main, live.type]
  }

  /** The beginning of a call as this client tells of it. */
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
      return [...declined, ...this.#spawn(call.spawns, event, begun, step)]
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

  /** A client may ask for permission between the judging and the running of a call. */
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

  #spawn(type: string, event: Event, begun: EvaluationResult, step: SystemStep): readonly StateTransition[] {
    const live: LiveAgent = { type, call: event }
    const caller = this.view.inferred ? ({ kind: 'unknown' } as const) : toCaller(type)
    const start: Event = { ...this.bare('agent.start'), caller, agent: type }
    const started =
      this.view.has('agent.start') && (this.#kinds.has('agent.start') || this.#late)
        ? [this.ask(start, begun.session)]
        : []
    const last = started.at(-1) ?? begun
    const isRefused = last.outcome.decision === 'deny'
    const reached = isRefused
      ? this.states.reached(withoutSpawns(last.session))
      : this.states.reached(last.session, live)
    return [{ step: { ...step, end: isRefused ? 'refused' : 'left' }, ...reached, results: [begun, ...started] }]
  }

  /** How a call may end, and what is told of it. */
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
        return (captures ? this.#outputs : [undefined]).map(answer => {
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

  /** What may be captured, first of all nothing. */
  get #outputs(): readonly (Json | undefined)[] {
    return [undefined, ...this.#parts.constants.answers]
  }

  /** What may come of the stop of an agent, or of the end of the call that spawned it. Whose it is may have to be inferred. */
  #hearing(event: Event): EventRelevance {
    const key = `${callEndKey(event)} ${event.agent ?? event.call?.id}`
    const known = this.#heard.get(key)
    if (known) return known
    const callers = [event.agent === undefined ? event.caller : toCaller(event.agent), { kind: 'unknown' } as const]
    const each = callers.slice(0, this.view.inferred ? 2 : 1).map(caller => this.#parts.hearing({ ...event, caller }))
    const found = { told: each.some(one => one.told), captures: each.some(one => one.captures) }
    this.#heard.set(key, found)
    return found
  }

  /** The live agent stops, told or untold, and the call that spawned it ends. */
  #ends(state: SystemState, live: LiveAgent): readonly StateTransition[] {
    return [
      ...this.#stops(state, live),
      ...this.#finishes(state, live, state.session, { by: live.type, untold: true }, []),
    ]
  }

  #stops(state: SystemState, live: LiveAgent): readonly StateTransition[] {
    if (!this.view.has('agent.stop')) return []
    const caller = this.view.inferred ? ({ kind: 'unknown' } as const) : toCaller(live.type)
    const event: Event = { ...this.bare('agent.stop'), caller, agent: live.type }
    return (this.#hearing(event).captures ? this.#outputs : [undefined]).flatMap(answer => {
      const stopped = this.ask(event, state.session, answerFacts(answer))
      const step: SystemStep = { by: live.type, event, ...(answer !== undefined && { answer }) }
      if (stopped.outcome.decision === 'deny')
        return [
          {
            step: { ...step, end: 'refused' as const },
            ...this.states.reached(stopped.session, live),
            results: [stopped],
          },
        ]
      return this.#finishes(state, live, stopped.session, step, [stopped])
    })
  }

  #finishes(
    state: SystemState,
    live: LiveAgent,
    session: Session,
    step: SystemStep,
    results: readonly EvaluationResult[],
  ): readonly StateTransition[] {
    return possibleCallEndings(this.view, live.call, { asked: this.#asksStatus }).flatMap(({ kind, status }) => {
      const ended = toCallEndEvent(live.call, kind, status)
      const { told, captures } = this.#hearing(ended)
      if (!told && state.session.waiting.length === 0)
        return [{ step: { ...step, end: status }, ...this.states.reached(withoutSpawns(session)), results }]
      const answers = results.length > 0 ? [step.answer] : captures ? this.#outputs : [undefined]
      return answers.map(answer => {
        const result = this.ask(ended, session, answerFacts(answer))
        return {
          step: { ...step, end: status, ...(answer !== undefined && { answer }) },
          ...this.states.reached(withoutSpawns(result.session)),
          results: [...results, result],
        }
      })
    })
  }

  turnEnds(state: SystemState): EvaluationResult {
    return this.ask(this.bare('turn.stop'), state.session)
  }

  /** Time goes by, and nothing else happens. */
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

  /** Is it told of, and does anything speak of it? */
  concerns(kind: EventKind): boolean {
    return this.#kinds.has(kind) && this.view.has(kind)
  }
}

const FULLY_RELEVANT: EventRelevance = { told: true, captures: true }
const IRRELEVANT: EventRelevance = { told: false, captures: false }
