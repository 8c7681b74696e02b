import { type Event, evaluate, type Facts, type Program, type Result, type Session } from '../core/index.ts'
import type { EventKind, Json } from '../pattern/index.ts'
import { atomsOfProgram, closesByPrompt } from './atom.ts'
import { isResting } from './awaited.ts'
import { type Call, isIdle } from './call.ts'
import { endKey, type Hearing } from './deed.ts'
import { another, goesOn, lateEnds } from './late.ts'
import { openedByPerson } from './person.ts'
import { type Live, NOW, type State, States } from './state.ts'
import type { Step } from './step.ts'
import { callerIn, callerOf, endOf, endsOf, parsed, withoutSpawns } from './telling.ts'
import { Turns } from './turn.ts'
import { kindsIn, type View } from './view.ts'
import { waitsIn } from './waiting.ts'
import type { WorldParts } from './world-parts.ts'

/** One step and what came of it. */
export interface Move {
  readonly step: Step
  readonly to: State
  /** the answers to its events, in order */
  readonly results: readonly Result[]
  /** the session before all was made equal that no later event can tell apart */
  readonly left?: Session
}

/** What can happen in a state, by the real `evaluate`: one policy, one kind of client. */
export class World {
  readonly program: Program
  readonly view: View
  readonly states: States
  readonly agents: readonly string[]
  evaluations = 0
  readonly #parts: WorldParts
  readonly #kinds: ReadonlySet<EventKind>
  readonly #asksStatus: boolean
  readonly #counts: boolean
  /** a prompt closes a gate: then it counts in which turn an agent began */
  readonly #late: boolean
  readonly #heard = new Map<string, Hearing>()
  readonly #turns: Turns
  readonly #seconds: readonly number[]
  readonly #known = new Map<string, { readonly state: State; readonly moves: readonly Move[] }>()

  constructor(parts: WorldParts) {
    this.#parts = parts
    this.program = parts.program
    this.view = parts.view
    this.agents = parts.agents
    this.states = new States(parts.program, parts.root, parts)
    this.#kinds = kindsIn(parts.program)
    const atoms = atomsOfProgram(parts.program)
    this.#turns = new Turns(this, parts)
    this.#seconds = waitsIn(parts.program)
    this.#asksStatus = atoms.some(atom => atom.key === 'succeeded')
    this.#late = this.program.gates.some(closesByPrompt)
    this.#counts =
      atoms.some(atom => atom.key === 'since') ||
      this.program.gates.some(gate => gate.transitions.some(one => one.clock))
  }

  /** What follows for the first state of a kind is worked out, and for all others it is the same with their own counts. */
  moves(state: State): readonly Move[] {
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
    const found = [...judged, ...this.#waits(state), ...openedByPerson(this, state)]
    return this.#parts.shares ? [...found, another(this.states, state)] : found
  }

  #judged(state: State): readonly Move[] {
    const found: Move[] = []
    for (const call of this.#parts.calls)
      for (const by of this.#callers(state, call))
        if (this.#isWorthwhile(call, by)) found.push(...this.#call(state, call, by))
    if (state.live) found.push(...this.#ends(state, state.live))
    found.push(...this.#turns.moves(state), ...lateEnds(this, state, this.#parts.calls, this.#asksStatus))
    return found
  }

  /** A call that nothing speaks of changes nothing, but it is counted, and it lets the clock be looked at. */
  #isWorthwhile(call: Call, by: string): boolean {
    const bearing = this.#parts.bearing(call, by)
    const isHeard = !bearing || bearing.begins || [...bearing.ends.values()].some(one => one.told)
    const isCounted = isIdle(call) || this.#parts.counted.has(call)
    return isHeard || call.spawns !== undefined || (this.#counts && isCounted)
  }

  /** On a client that tells nobody apart, whoever was spawned last makes the calls, and the main agent alone spawns. */
  #callers({ live, session }: State, { spawns }: Call): readonly string[] {
    const main = isResting(session) ? [] : ['main']
    if (!live || (this.view.inferred && spawns !== undefined)) return main
    return this.view.inferred ? [live.type] : [...main, live.type]
  }

  /** The beginning of a call as this client tells of it. */
  beginning(call: Call, by: string): Event {
    const { before } = call
    const told = this.view.inferred && before.call?.tool !== 'Agent'
    const caller = told ? ({ kind: 'unknown' } as const) : callerIn(by, this.view)
    const id = call.spawns === undefined ? 'c' : `s-${call.spawns}`
    return { ...before, client: this.#client, caller, ...(before.call && { call: { ...before.call, id } }) }
  }

  get #client(): string {
    return this.view.clients[0] ?? ''
  }

  ask(event: Event, session: Session, more: Partial<Facts> = {}): Result {
    this.evaluations++
    const facts: Facts = { now: NOW, env: this.#parts.env, root: this.#parts.root, ...more }
    const { program, view } = this
    return evaluate({ event, session, program, facts, capabilities: view.capabilities }, { regex: this.#parts.regex })
  }

  #call(state: State, call: Call, by: string): readonly Move[] {
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
    const declined: readonly Move[] = isAsked
      ? [{ step: { ...step, end: 'asked' }, ...this.states.reached(begun.session, live), results: [begun] }]
      : []
    if (call.spawns !== undefined && by === 'main' && !live)
      return [...declined, ...this.#spawn(call.spawns, event, begun, step)]
    const left: Move = { step: { ...step, end: 'left' }, ...this.states.reached(begun.session, live), results: [begun] }
    return [
      ...declined,
      left,
      ...(this.#parts.late.has(call) ? goesOn(this.states, state, begun, step, this.#parts.calls.indexOf(call)) : []),
      ...this.#endings(event, begun, step, live),
      ...this.#permission(event, begun, step, live),
    ]
  }

  /** A client may ask for permission between the judging and the running of a call. */
  #permission(event: Event, begun: Result, given: Step, live: Live | undefined): readonly Move[] {
    if (!this.concerns('permission.request')) return []
    const step: Step = { ...given, permission: true }
    const asked = this.ask({ ...event, kind: 'permission.request' }, begun.session)
    const end = asked.outcome.decision === 'deny' ? 'refused' : 'left'
    const results = [begun, asked]
    const first: Move = { step: { ...step, end }, ...this.states.reached(asked.session, live), results }
    if (end === 'refused') return [first]
    const endings = this.#endings(event, asked, step, live)
    return [first, ...endings.map(move => ({ ...move, results: [begun, ...move.results] }))]
  }

  #spawn(type: string, event: Event, begun: Result, step: Step): readonly Move[] {
    const live: Live = { type, call: event }
    const caller = this.view.inferred ? ({ kind: 'unknown' } as const) : callerOf(type)
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
  #endings(event: Event, begun: Result, step: Step, live: Live | undefined): readonly Move[] {
    const { call } = step
    const waits = begun.session.waiting.some(one => one.moves.length > 0)
    const bearing = call && this.#parts.bearing(call, step.by)
    return endsOf(this.view, event, { witnessed: call?.witnessed, asked: this.#asksStatus }).flatMap(
      ({ kind, status, ended }) => {
        const after = endOf(event, kind, status, ended)
        const { told, captures } = bearing ? (bearing.ends.get(endKey(after)) ?? UNHEARD) : HEARD
        if (!waits && !told) return []
        return (captures ? this.#outputs : [undefined]).map(answer => {
          const result = this.ask(after, begun.session, { approved: call?.approved ?? false, ...parsed(answer) })
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
  #hearing(event: Event): Hearing {
    const key = `${endKey(event)} ${event.agent ?? event.call?.id}`
    const known = this.#heard.get(key)
    if (known) return known
    const callers = [event.agent === undefined ? event.caller : callerOf(event.agent), { kind: 'unknown' } as const]
    const each = callers.slice(0, this.view.inferred ? 2 : 1).map(caller => this.#parts.hearing({ ...event, caller }))
    const found = { told: each.some(one => one.told), captures: each.some(one => one.captures) }
    this.#heard.set(key, found)
    return found
  }

  /** The live agent stops, told or untold, and the call that spawned it ends. */
  #ends(state: State, live: Live): readonly Move[] {
    return [
      ...this.#stops(state, live),
      ...this.#finishes(state, live, state.session, { by: live.type, untold: true }, []),
    ]
  }

  #stops(state: State, live: Live): readonly Move[] {
    if (!this.view.has('agent.stop')) return []
    const caller = this.view.inferred ? ({ kind: 'unknown' } as const) : callerOf(live.type)
    const event: Event = { ...this.bare('agent.stop'), caller, agent: live.type }
    return (this.#hearing(event).captures ? this.#outputs : [undefined]).flatMap(answer => {
      const stopped = this.ask(event, state.session, parsed(answer))
      const step: Step = { by: live.type, event, ...(answer !== undefined && { answer }) }
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

  #finishes(state: State, live: Live, session: Session, step: Step, results: readonly Result[]): readonly Move[] {
    return endsOf(this.view, live.call, { asked: this.#asksStatus }).flatMap(({ kind, status }) => {
      const ended = endOf(live.call, kind, status)
      const { told, captures } = this.#hearing(ended)
      if (!told && state.session.waiting.length === 0)
        return [{ step: { ...step, end: status }, ...this.states.reached(withoutSpawns(session)), results }]
      const answers = results.length > 0 ? [step.answer] : captures ? this.#outputs : [undefined]
      return answers.map(answer => {
        const result = this.ask(ended, session, parsed(answer))
        return {
          step: { ...step, end: status, ...(answer !== undefined && { answer }) },
          ...this.states.reached(withoutSpawns(result.session)),
          results: [...results, result],
        }
      })
    })
  }

  turnEnds(state: State): Result {
    return this.ask(this.bare('turn.stop'), state.session)
  }

  /** Time goes by, and nothing else happens. */
  wait(state: State, seconds: number): Move {
    return { step: { by: 'time', seconds }, to: this.states.later(state, seconds), results: [] }
  }

  #waits(state: State): readonly Move[] {
    return this.#seconds.map(seconds => this.wait(state, seconds))
  }

  get rests(): boolean {
    return this.#parts.rests
  }

  bare(kind: EventKind): Event {
    return { kind, client: this.#client, name: kind, session: 'proof', caller: callerIn('main', this.view) }
  }

  /** Is it told of, and does anything speak of it? */
  concerns(kind: EventKind): boolean {
    return this.#kinds.has(kind) && this.view.has(kind)
  }
}

const HEARD: Hearing = { told: true, captures: true }
const UNHEARD: Hearing = { told: false, captures: false }
