import type { Client } from '../../clients/index.ts'
import { type Event, newSession, type Regex } from '../../engine/index.ts'
import { isDeniedCall, type PlayedEvent, passingCodeGates, SharedStates, Simulator } from '../simulator/index.ts'
import { AbsentAgents } from './absent-agents.ts'
import { CallActionAnalysis } from './call-actions.ts'
import { LastMoveTracker } from './last-move.ts'
import { MatchCache } from './match-cache.ts'
import {
  type ComparedPolicies,
  callKeyOf,
  divergeSides,
  type EventComparison,
  mayModeMatter,
  type PriorState,
  policyOfSide,
  type ReplaySession,
  type SessionSide,
} from './replay-session.ts'
import { eventIdOf } from './tally.ts'
import { sessionKey, type TimelineEntry } from './transcripts/timeline.ts'

export interface ReplayEvaluatorOptions {
  readonly home: string
  readonly regex: Regex
  policiesFor(cwd: string | undefined): ComparedPolicies | undefined
  /** id of the requested event */
  readonly want?: string | undefined
}

type Side = 'after' | 'before'

const MAX_DENIED_CALLS = 256
/** An audit log does not always record the end of a session. */
const MAX_SESSIONS = 2000
const HOUR_MS = 3_600_000

/** Plays past sessions with a simulator for each side of the comparison. Does not read or write the store. */
export class ReplayEvaluator {
  private readonly lives = new Map<string, ReplaySession>()
  /** by project root */
  private readonly shared = { after: new Map<string, SharedStates>(), before: new Map<string, SharedStates>() }
  /** sides that denied a call of this payload: its later events do not happen there */
  private readonly stopped = new Set<Side>()
  /** the ends of calls in this payload */
  private ended: readonly Event[] = []
  /** a hook denied this payload when it was recorded */
  private wasDenied = false
  private readonly matches = new MatchCache()
  private readonly actions: CallActionAnalysis
  private readonly moves = { after: new LastMoveTracker(), before: new LastMoveTracker() }
  private readonly naming = new Map<Client, Client>()

  constructor(private readonly judging: ReplayEvaluatorOptions) {
    this.actions = new CallActionAnalysis(judging.home, this.matches)
  }

  /** Empty if the session belongs to a project that is not replayed. */
  judge({
    at,
    client: entryClient,
    events,
    areCallersKnown,
    answered,
    refused,
  }: TimelineEntry): readonly EventComparison[] {
    this.stopped.clear()
    this.wasDenied = refused === true || answered?.decision === 'deny'
    this.ended = events.filter(isCallEnd)
    const client = areCallersKnown ? this.namingCallers(entryClient) : entryClient
    return events.flatMap(event => {
      const live = this.liveFor(event, at, client)
      return live ? this.judgeOne(this.actions.complete(event, live, client), live, at) : []
    })
  }

  /** The client, as one that names its callers. */
  private namingCallers(client: Client): Client {
    const known = this.naming.get(client)
    const named = known ?? { ...client, capabilities: { ...client.capabilities, callers: 'marked' as const } }
    if (!known) this.naming.set(client, named)
    return named
  }

  private judgeOne(event: Event, live: ReplaySession, at: number): EventComparison {
    live.seen = at
    live.nth += 1
    const { nth } = live
    const isWanted = this.judging.want !== undefined && eventIdOf(live) === this.judging.want
    const { session } = live.after.simulator
    const priorAfter = isWanted && this.priorState('after', event, live, at)
    const after = this.play('after', event, live, at)
    const isSame = live.isTogether && !mayModeMatter(after, live.policies.onlyDifference)
    if (live.isTogether && !isSame) divergeSides(live, session, event)
    const isApart = live.policies.before !== undefined && !isSame
    const priorBefore = isWanted && isApart && this.priorState('before', event, live, at)
    const before = isApart ? this.play('before', event, live, at) : after
    if (this.judging.want !== undefined) {
      if (after) this.moves.after.note(live.after.moved, after)
      if (live.policies.before && before) this.moves.before.note(live.before.moved, before)
    }
    const prior = priorAfter && { after: priorAfter, ...(priorBefore && { before: priorBefore }) }
    return { event, at, live, nth, after, before, ...(prior && { prior }) }
  }

  private priorState(which: Side, event: Event, live: ReplaySession, at: number): PriorState {
    const { simulator, moved } = live[which]
    simulator.now = at
    const fork = simulator.fork()
    return { simulator: fork, moved: this.moves[which].seenBy(event, fork, moved) }
  }

  end(key: string): void {
    this.lives.delete(key)
  }

  private liveFor(event: Event, at: number, client: Client): ReplaySession | undefined {
    const key = sessionKey(event)
    const known = this.lives.get(key)
    if (known && at - known.seen <= known.policies.after.settings.expiryHours * HOUR_MS) return known
    const policies = known?.policies ?? this.judging.policiesFor(event.cwd)
    if (!policies) return undefined
    if (this.lives.size >= MAX_SESSIONS) this.forgetOldest()
    const live: ReplaySession = {
      key,
      client: event.client,
      session: event.session,
      policies: policies,
      began: known?.began ?? at,
      seen: at,
      nth: known?.nth ?? 0,
      after: this.newSide('after', event, policies, at, client),
      before: this.newSide('before', event, policies, at, client),
      isTogether: policies.onlyDifference !== undefined,
      acts: new Map(),
      noted: known?.noted ?? new Set(),
      unknownReasons: known?.unknownReasons ?? new Set(),
      stops: known?.stops ?? 0,
    }
    this.lives.set(key, live)
    return live
  }

  private newSide(
    which: Side,
    { session: id }: Event,
    policies: ComparedPolicies,
    now: number,
    client: Client,
  ): SessionSide {
    const { root } = policies
    const { home, regex } = this.judging
    const program = policyOfSide(which, policies)
    const shared = this.shared[which].get(root) ?? new SharedStates()
    this.shared[which].set(root, shared)
    // Code gates always pass in replay: their code would see today's files.
    const tools = { regex, codeGates: passingCodeGates(program), judge: this.matches.judge }
    const start = { session: newSession(id, root, now), now, shared }
    return {
      simulator: new Simulator({ program, client, root, home, tools }, start),
      refused: new Set(),
      absent: new AbsentAgents(),
      moved: new Map(),
    }
  }

  private forgetOldest(): void {
    const oldest = [...this.lives.values()].sort((a, b) => a.seen - b.seen).slice(0, MAX_SESSIONS / 4)
    for (const { key } of oldest) this.lives.delete(key)
  }

  /** Undefined if the event does not happen on this side, because the side denied its call or the spawn of its agent. */
  private play(which: Side, event: Event, live: ReplaySession, at: number): PlayedEvent | undefined {
    const { simulator, refused, absent } = live[which]
    if (absent.has(event)) {
      if (!this.wasDenied) absent.noteCall(event, true)
      return undefined
    }
    if (refused.size > 0 && this.isOfRefusedCall(event, refused)) return undefined
    if (this.stopped.has(which)) return undefined
    simulator.now = at
    const played = simulator.play(event)
    const isDenied = isDeniedCall(played)
    if (!this.wasDenied) absent.noteCall(event, isDenied)
    if (isDenied) this.stopped.add(which)
    // without an id, an end that was recorded is not of a call that was denied then
    if (isDenied ? event.call?.id !== undefined || !this.wasDenied : refused.size > 0)
      noteRefusal(refused, event, isDenied)
    return played
  }

  /** The end of a denied call, or of the agent that it would have spawned, if both are in one payload. */
  private isOfRefusedCall(event: Event, refused: Set<string>): boolean {
    if (isCallEnd(event)) return refused.delete(callKeyOf(event) ?? '')
    return event.kind === 'agent.stop' && this.ended.some(end => refused.has(callKeyOf(end) ?? ''))
  }
}

/** A call of the audit log has no id of its own: it may be made again, and be allowed. */
function noteRefusal(refused: Set<string>, event: Event, isDenied: boolean): void {
  const key = callKeyOf(event)
  if (key === undefined) return
  if (!isDenied) {
    if (event.kind === 'tool.before') refused.delete(key)
    return
  }
  if (refused.size >= MAX_DENIED_CALLS) refused.clear()
  refused.add(key)
}

const isCallEnd = ({ kind }: Event): boolean => kind === 'tool.after' || kind === 'tool.failed'
