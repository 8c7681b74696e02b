import type { Client } from '../../clients/index.ts'
import {
  type EvaluationInput,
  type EvaluationResult,
  type EvaluationTools,
  type Event,
  evaluate,
  isShell,
  newSession,
  type Regex,
  type Session,
} from '../../engine/index.ts'
import * as shell from '../../engine/shell/index.ts'
import { gatherFacts, refusersOfSuggestion, withActions, withKnownActions } from '../../hook/index.ts'
import type { Policy } from '../../policy/index.ts'
import { withAttestedStatus } from './attested-status.ts'
import { LastMoveTracker } from './last-move.ts'
import { MatchCache } from './match-cache.ts'
import {
  type CallActions,
  type EventComparison,
  isGateInvolved,
  type PolicyComparison,
  policyOfSide,
  type ReplaySession,
  type SessionSide,
  splitSides,
} from './replay-session.ts'
import { eventIdOf } from './tally.ts'
import { sessionKey, type TimelineEntry } from './transcripts/timeline.ts'

export interface ReplayEvaluatorOptions {
  readonly home: string
  readonly regex: Regex
  benchFor(cwd: string | undefined): PolicyComparison | undefined
  /** id of the requested event */
  readonly want?: string | undefined
}

const MAX_OPEN_CALLS = 256
const MAX_CACHED_PATHS = 20_000
const MAX_CACHED_LINES = 2000
const MAX_CACHED_LINE_LENGTH = 500
/** An audit log does not always record the end of a session. */
const MAX_SESSIONS = 2000
const HOUR_MS = 3_600_000
const NO_SHARED_GATES: Session['shared'] = {}

/** Plays sessions in memory with the real engine. Does not read or write the store. */
export class ReplayEvaluator {
  private readonly lives = new Map<string, ReplaySession>()
  private readonly shared = {
    after: new Map<string, Session['shared']>(),
    before: new Map<string, Session['shared']>(),
  }
  private readonly real = new Map<string, string>()
  private readonly lines = new Map<string, CallActions>()
  private readonly once = new Set<string>()
  /** sides that denied a call of this payload: its later events do not happen there */
  private readonly stopped = new Set<'after' | 'before'>()
  private readonly said = new MatchCache()
  private readonly moves = { after: new LastMoveTracker(), before: new LastMoveTracker() }
  private readonly tools = new Map<Policy, EvaluationTools>()

  constructor(private readonly judging: ReplayEvaluatorOptions) {}

  /** Empty if the session belongs to a project that is not replayed. */
  judge({ at, client, events }: TimelineEntry): readonly EventComparison[] {
    this.stopped.clear()
    return events.flatMap(told => {
      const live = this.liveFor(told, at)
      return live ? this.judgeOne(told, live, at, client) : []
    })
  }

  private judgeOne(told: Event, live: ReplaySession, at: number, client: Client): EventComparison {
    live.seen = at
    live.nth += 1
    const event = this.withActs(told, live, client)
    const { session } = live.after
    const isWanted = this.judging.want !== undefined && eventIdOf(live) === this.judging.want
    const [after, input] = this.play('after', event, live, at, client)
    const isSame = live.isTogether && !isGateInvolved(after, live.bench.apart)
    if (live.isTogether && !isSame) splitSides(live, session, event)
    const [before, other] =
      !live.bench.before || isSame ? [after, undefined] : this.play('before', event, live, at, client)
    const inputs = { after: input, ...(other && { before: other }) }
    // Read before `noteMoves`, so that moves of this event are not included.
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

  private noteMoves(
    which: 'after' | 'before',
    live: ReplaySession,
    at: number,
    input: EvaluationInput,
    result: EvaluationResult | undefined,
  ): void {
    if (result)
      this.moves[which].note(live[which].moved, { at, input, tools: this.toolsFor(policyOfSide(which, live)), result })
  }

  end(key: string): void {
    this.lives.delete(key)
  }

  private liveFor(event: Event, at: number): ReplaySession | undefined {
    const key = sessionKey(event)
    const known = this.lives.get(key)
    if (known && at - known.seen <= known.bench.after.settings.expiryHours * HOUR_MS) return known
    const bench = known?.bench ?? this.judging.benchFor(event.cwd)
    if (!bench) return undefined
    if (this.lives.size >= MAX_SESSIONS) this.forgetOldest()
    const side = (): SessionSide => ({
      session: newSession(event.session, bench.root, at),
      refused: new Set(),
      moved: new Map(),
    })
    const { client, session } = event
    const live: ReplaySession = {
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
    const oldest = [...this.lives.values()].sort((a, b) => a.seen - b.seen).slice(0, MAX_SESSIONS / 4)
    for (const { key } of oldest) this.lives.delete(key)
  }

  /** Adds the actions of a call, analysed once for its beginning and its end. */
  private withActs(event: Event, live: ReplaySession, client: Client): Event {
    const { call } = event
    // Events from records already have their actions.
    if (!call || call.acts.length > 0) return event
    const id = call.id ?? ''
    const known = id === '' ? undefined : live.acts.get(id)
    const { root } = live.bench
    const vars = client.shellProjectEnv === undefined ? {} : { [client.shellProjectEnv]: root }
    const { home } = this.judging
    if (this.real.size > MAX_CACHED_PATHS) this.real.clear()
    const ground = { root, cwd: event.cwd ?? root, home, shell: () => shell, vars, real: this.real }
    const full = known ? withKnownActions(event, known) : this.readActs(event, ground)
    if (event.kind !== 'tool.before') {
      live.acts.delete(id)
      return withAttestedStatus(full, ground)
    }
    if (live.acts.size >= MAX_OPEN_CALLS) live.acts.clear()
    if (id !== '' && full.call) live.acts.set(id, full.call.acts)
    return full
  }

  /** Caches by line and folder: the same line in the same folder has the same actions. */
  private readActs(event: Event, ground: Parameters<typeof withActions>[1]): Event {
    const { call } = event
    const { command, run_in_background } = call?.input ?? {}
    const isLine = call !== undefined && isShell(call.tool) && typeof command === 'string'
    if (!isLine || command.length > MAX_CACHED_LINE_LENGTH) return withActions(event, ground)
    const key = [ground.root, ground.cwd, call.tool, call.folder, run_in_background, command].join('\n')
    const known = this.lines.get(key)
    if (known) return withKnownActions(event, known)
    const full = withActions(event, ground)
    if (full.call) this.keep(key, full.call.acts)
    return full
  }

  /** Caches a line from its second occurrence on. Most lines occur once, and caching them all costs more than it saves. */
  private keep(key: string, acts: CallActions): void {
    if (!this.once.has(key)) {
      if (this.once.size >= MAX_CACHED_LINES) this.once.clear()
      this.once.add(key)
      return
    }
    if (this.lines.size >= MAX_CACHED_LINES) {
      this.lines.clear()
      this.said.forget()
    }
    this.lines.set(key, acts)
    this.said.expect(acts)
  }

  private play(
    which: 'after' | 'before',
    event: Event,
    live: ReplaySession,
    at: number,
    client: Client,
  ): [result: EvaluationResult | undefined, input: EvaluationInput] {
    const { bench } = live
    const side = live[which]
    const program = policyOfSide(which, live)
    const shared = this.shared[which].get(bench.root) ?? NO_SHARED_GATES
    const facts = gatherFacts(event, program, { now: at, env: {}, root: bench.root, home: this.judging.home })
    // Usually no other session changed the shared gates: reuse the session object.
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
      if (side.refused.size >= MAX_OPEN_CALLS) side.refused.clear()
      side.refused.add(id)
    }
    return [result, input]
  }

  /** Code gates always pass in replay: their code would see today's files. */
  private toolsFor(program: Policy): EvaluationTools {
    const known = this.tools.get(program)
    if (known) return known
    const silent = program.gates.filter(gate => gate.code !== undefined)
    const codeGates = Object.fromEntries(silent.map(gate => [gate.id, () => ({ decision: 'pass' as const })]))
    const tools = { regex: this.judging.regex, codeGates, asks: this.said.asks, refusers: refusersOfSuggestion }
    this.tools.set(program, tools)
    return tools
  }
}
