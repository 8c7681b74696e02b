import type { Client } from '../clients/index.ts'
import { type Event, evaluate, type Input, newSession, type Result, type Session, type Tools } from '../core/index.ts'
import { isShell, type Regex } from '../pattern/index.ts'
import type { Policy } from '../policy/index.ts'
import { gatherFacts, refusersOfSuggestion, withActs, withKnownActs } from '../runtime/index.ts'
import * as shell from '../shell/index.ts'
import { withEnds } from './ends.ts'
import { type Moved, Moves } from './moved.ts'
import { keyOf, type Moment } from './past.ts'
import { Said } from './said.ts'
import { idOf } from './tally.ts'

/** The policies that a session is judged by. */
export interface Bench {
  readonly root: string
  readonly after: Policy
  /** what it is held against; absent: what happened then */
  readonly before?: Policy
  /** the two differ in the mode of this gate only, and no gate is shared by sessions: until it speaks they answer the same */
  readonly apart?: { readonly gate: string; readonly saysMoves: boolean }
}

/** One event, as both sides answer it. Undefined: on this side it does not come to be. */
export interface Judged {
  readonly event: Event
  readonly at: number
  readonly live: Live
  readonly after: Result | undefined
  readonly before: Result | undefined
  /** what was judged, for who wants to know why */
  readonly inputs: { readonly after: Input; readonly before?: Input }
  /** of the event that is asked for: what moved its gates last */
  readonly moved?: { readonly after: ReadonlyMap<string, Moved>; readonly before: ReadonlyMap<string, Moved> }
}

/** A session while it is played. */
export interface Live {
  readonly key: string
  readonly client: string
  readonly session: string
  readonly bench: Bench
  readonly began: number
  seen: number
  nth: number
  readonly after: Side
  readonly before: Side
  /** one judgement is that of both sides */
  isTogether: boolean
  /** of the calls under way */
  readonly acts: Map<string, Acts>
  /** what was counted for this session, and how often it would be stopped */
  readonly noted: Set<string>
  /** what of it is not known, and may have moved a gate */
  readonly lost: Set<string>
  stops: number
  firstStop?: number
}

type Acts = NonNullable<Event['call']>['acts']

interface Side {
  session: Session
  /** calls that this side refused: what came of them did not happen here */
  readonly refused: Set<string>
  /** kept where one event is asked for */
  readonly moved: Map<string, Moved>
}

export interface Judging {
  readonly home: string
  readonly regex: Regex
  benchFor(cwd: string | undefined): Bench | undefined
  /** the id of the event that is asked for */
  readonly want?: string | undefined
}

const MOST_CALLS = 256
const MOST_PATHS = 20_000
const MOST_LINES = 2000
const LONGEST_KNOWN = 500
/** A trail does not always say that a session is over. */
const MOST_SESSIONS = 2000
const HOUR_MS = 3_600_000
const NOTHING: Session['shared'] = {}

/** The gate fired, failed, or moved with words: only then does its mode tell. */
const speaksIn = (result: Result | undefined, apart: Bench['apart']): boolean =>
  result !== undefined &&
  apart !== undefined &&
  (result.record.errors.length > 0 ||
    result.record.matches.some(one => one.gate === apart.gate) ||
    (apart.saysMoves && result.record.moves.some(one => one.gate === apart.gate)))

/** From here on the sides are two: the other one is where this one was before the event. */
function part(live: Live, session: Session, { call }: Event): void {
  live.isTogether = false
  live.before.session = session
  for (const id of live.after.refused) if (id !== call?.id) live.before.refused.add(id)
}

const programOf = (which: 'after' | 'before', { bench }: Live): Policy =>
  (which === 'after' ? bench.after : bench.before) ?? bench.after

/** Sessions in memory, through the engine itself: nothing is read from the store or written to it. */
export class Judge {
  private readonly lives = new Map<string, Live>()
  private readonly shared = {
    after: new Map<string, Session['shared']>(),
    before: new Map<string, Session['shared']>(),
  }
  private readonly real = new Map<string, string>()
  private readonly lines = new Map<string, Acts>()
  private readonly once = new Set<string>()
  /** the sides that refused the call of this payload: its other events do not happen there */
  private readonly stopped = new Set<'after' | 'before'>()
  private readonly said = new Said()
  private readonly moves = { after: new Moves(), before: new Moves() }
  private readonly tools = new Map<Policy, Tools>()

  constructor(private readonly judging: Judging) {}

  /** Empty where the session is none that is looked at. */
  judge({ at, client, events }: Moment): readonly Judged[] {
    this.stopped.clear()
    return events.flatMap(told => {
      const live = this.liveFor(told, at)
      return live ? this.judgeOne(told, live, at, client) : []
    })
  }

  private judgeOne(told: Event, live: Live, at: number, client: Client): Judged {
    live.seen = at
    live.nth += 1
    const event = this.withActs(told, live, client)
    const { session } = live.after
    const isWanted = this.judging.want !== undefined && idOf(live) === this.judging.want
    const [after, input] = this.play('after', event, live, at, client)
    const isSame = live.isTogether && !speaksIn(after, live.bench.apart)
    if (live.isTogether && !isSame) part(live, session, event)
    const [before, other] =
      !live.bench.before || isSame ? [after, undefined] : this.play('before', event, live, at, client)
    const inputs = { after: input, ...(other && { before: other }) }
    // those of this event come later
    const moved = isWanted && {
      after: this.moves.after.seenBy(input, live.after.moved),
      before: this.moves.before.seenBy(other ?? input, live.before.moved),
    }
    if (this.judging.want !== undefined) {
      this.noteMoves('after', live, at, input, after)
      if (live.bench.before) this.noteMoves('before', live, at, other ?? input, before)
    }
    return { event, at, live, after, before, inputs, ...(moved && { moved }) }
  }

  private noteMoves(which: 'after' | 'before', live: Live, at: number, input: Input, result: Result | undefined): void {
    if (result)
      this.moves[which].note(live[which].moved, { at, input, tools: this.toolsFor(programOf(which, live)), result })
  }

  end(key: string): void {
    this.lives.delete(key)
  }

  private liveFor(event: Event, at: number): Live | undefined {
    const key = keyOf(event)
    const known = this.lives.get(key)
    if (known && at - known.seen <= known.bench.after.settings.expiryHours * HOUR_MS) return known
    const bench = known?.bench ?? this.judging.benchFor(event.cwd)
    if (!bench) return undefined
    if (this.lives.size >= MOST_SESSIONS) this.forgetOldest()
    const side = (): Side => ({
      session: newSession(event.session, bench.root, at),
      refused: new Set(),
      moved: new Map(),
    })
    const { client, session } = event
    const live: Live = {
      key,
      client,
      session,
      bench,
      began: known?.began ?? at,
      seen: at,
      nth: known?.nth ?? 0,
      after: side(),
      before: side(),
      isTogether: bench.apart !== undefined,
      acts: new Map(),
      noted: known?.noted ?? new Set(),
      lost: known?.lost ?? new Set(),
      stops: known?.stops ?? 0,
    }
    this.lives.set(key, live)
    return live
  }

  private forgetOldest(): void {
    const oldest = [...this.lives.values()].sort((a, b) => a.seen - b.seen).slice(0, MOST_SESSIONS / 4)
    for (const { key } of oldest) this.lives.delete(key)
  }

  /** Read once for the beginning of a call and its end. */
  private withActs(event: Event, live: Live, client: Client): Event {
    const { call } = event
    // a record has only its acts
    if (!call || call.acts.length > 0) return event
    const id = call.id ?? ''
    const known = id === '' ? undefined : live.acts.get(id)
    const { root } = live.bench
    const vars = client.shellProjectEnv === undefined ? {} : { [client.shellProjectEnv]: root }
    const { home } = this.judging
    if (this.real.size > MOST_PATHS) this.real.clear()
    const ground = { root, cwd: event.cwd ?? root, home, shell: () => shell, vars, real: this.real }
    const full = known ? withKnownActs(event, known) : this.readActs(event, ground)
    if (event.kind !== 'tool.before') {
      live.acts.delete(id)
      return withEnds(full, ground)
    }
    if (live.acts.size >= MOST_CALLS) live.acts.clear()
    if (id !== '' && full.call) live.acts.set(id, full.call.acts)
    return full
  }

  /** The same line in the same folder does the same. */
  private readActs(event: Event, ground: Parameters<typeof withActs>[1]): Event {
    const { call } = event
    const { command, run_in_background } = call?.input ?? {}
    const isLine = call !== undefined && isShell(call.tool) && typeof command === 'string'
    if (!isLine || command.length > LONGEST_KNOWN) return withActs(event, ground)
    const key = [ground.root, ground.cwd, call.tool, call.folder, run_in_background, command].join('\n')
    const known = this.lines.get(key)
    if (known) return withKnownActs(event, known)
    const full = withActs(event, ground)
    if (full.call) this.keep(key, full.call.acts)
    return full
  }

  /** Of a line that came before: most never come again, and keeping all of them costs more than reading some twice. */
  private keep(key: string, acts: Acts): void {
    if (!this.once.has(key)) {
      if (this.once.size >= MOST_LINES) this.once.clear()
      this.once.add(key)
      return
    }
    if (this.lines.size >= MOST_LINES) {
      this.lines.clear()
      this.said.forget()
    }
    this.lines.set(key, acts)
    this.said.expect(acts)
  }

  private play(
    which: 'after' | 'before',
    event: Event,
    live: Live,
    at: number,
    client: Client,
  ): [result: Result | undefined, input: Input] {
    const { bench } = live
    const side = live[which]
    const program = programOf(which, live)
    const shared = this.shared[which].get(bench.root) ?? NOTHING
    const facts = gatherFacts(event, program, { now: at, env: {}, root: bench.root, home: this.judging.home })
    // most sessions are alone: theirs is what it was
    const session = side.session.shared === shared ? side.session : { ...side.session, shared }
    const input = { event, session, program, facts, capabilities: client.capabilities }
    const id = event.call?.id
    const isEnd = event.kind === 'tool.after' || event.kind === 'tool.failed'
    if (isEnd && id !== undefined && side.refused.delete(id)) return [undefined, input]
    if (this.stopped.has(which)) return [undefined, input]
    const result = evaluate(input, this.toolsFor(program))
    side.session = result.session
    if (result.session.shared !== shared) this.shared[which].set(bench.root, result.session.shared)
    if (event.kind === 'tool.before' && result.outcome.decision === 'deny') {
      this.stopped.add(which)
      if (id === undefined) return [result, input]
      if (side.refused.size >= MOST_CALLS) side.refused.clear()
      side.refused.add(id)
    }
    return [result, input]
  }

  /** The code of code gates is not run: it would see the files of today. */
  private toolsFor(program: Policy): Tools {
    const known = this.tools.get(program)
    if (known) return known
    const silent = program.gates.filter(gate => gate.code !== undefined)
    const codeGates = Object.fromEntries(silent.map(gate => [gate.id, () => ({ decision: 'pass' as const })]))
    const tools = { regex: this.judging.regex, codeGates, asks: this.said.asks, refusers: refusersOfSuggestion }
    this.tools.set(program, tools)
    return tools
  }
}
