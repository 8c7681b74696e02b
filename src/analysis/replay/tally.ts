import type { EvaluationResult, Event, EventRecord as Judgement } from '../../engine/index.ts'
import { fnv64 } from '../../lib/fnv64.ts'
import { redact } from '../../store/index.ts'
import { redactedCaller, redactedEventText } from './redacted-text.ts'
import type { EventComparison, ReplaySession } from './replay-session.ts'
import type { RecordedAnswer, TimelineEntry } from './transcripts/timeline.ts'

/** The decision about an event, with `warn` for a pass with a warning. */
export type ReplayDecision = 'deny' | 'ask' | 'allow' | 'warn' | 'pass'

export interface EventSample {
  /** the id that `--diff` accepts */
  readonly id: string
  readonly at: number
  readonly client: string
  readonly session: string
  readonly caller: string
  readonly what: string
  /** with `whole`: ids of all events equal to this one */
  readonly ids?: string[]
}

interface TallyOptions {
  /** id of an event to keep in full */
  readonly want?: string
  /** keep every differing event; equal events share one sample */
  readonly whole?: boolean
}

export interface DecidingRule {
  readonly gate: string
  readonly rule: string
}

/** Events whose decision changes in the same way because of the same rules. */
export interface DecisionChange extends DecidingRule {
  /** other rules with the same decision: each alone would suffice */
  readonly also: readonly DecidingRule[]
  readonly before: ReplayDecision
  readonly after: ReplayDecision
  events: number
  sessions: number
  /** how many of the events were judged without a complete history */
  unsure: number
  readonly samples: EventSample[]
}

/** Decisions of a gate under the tried policy. */
export interface GateCount {
  readonly gate: string
  deny: number
  ask: number
  warn: number
  /** it would have denied or asked, but its mode is `observe` */
  would: number
}

export interface WorstSession {
  readonly client: string
  readonly session: string
  readonly stops: number
  /** minutes from its first event to the first stop */
  readonly minute: number
}

/** The event requested by id. */
export interface RequestedEvent {
  readonly sample: EventSample
  readonly before: ReplayDecision
  readonly after: ReplayDecision
  readonly event: Event
  readonly prior: NonNullable<EventComparison['prior']>
}

const MAX_SAMPLES = 5
const MAX_CHANGES = 1000

/** Counts decisions and keeps a few samples, so memory does not grow with the number of events unless `whole` is set. */
export class Tally {
  events = 0
  calls = 0
  sessions = 0
  same = 0
  differ = 0
  /** events that do not happen under the tried policy, because it denied their call */
  void = 0
  from: number | undefined
  to: number | undefined
  worst: WorstSession | undefined
  stopped = 0
  wanted: RequestedEvent | undefined
  readonly clients = new Map<string, number>()
  readonly gaps = new Map<string, number>()
  readonly changes = new Map<string, DecisionChange>()
  readonly gates = new Map<string, GateCount>()

  private readonly folded = new Map<string, EventSample>()

  constructor(private readonly options: TallyOptions = {}) {}

  /** `isDecisive`: this event determines the reply to its payload. */
  note(judged: EventComparison, moment: TimelineEntry, isDecisive = true): void {
    const { event, at, live, after } = judged
    this.events += 1
    if (event.kind === 'tool.before') this.calls += 1
    this.from ??= at
    this.to = at
    if (noteOnce(live, '')) {
      this.sessions += 1
      this.clients.set(live.client, (this.clients.get(live.client) ?? 0) + 1)
    }
    if (moment.lost !== undefined) live.unknownReasons.add(moment.lost)
    for (const gap of [...(moment.gaps ?? []), ...live.unknownReasons])
      this.gaps.set(gap, (this.gaps.get(gap) ?? 0) + 1)
    if (!after) {
      this.void += 1
      return
    }
    if (!isDecisive && isStopDecision(decisionOf(after.record))) {
      this.same += 1
      return
    }
    this.countGates(after.record)
    const now = decisionOf(after.record)
    // A hook denied the call or the stop back then, and this policy denies it too: no change.
    const isKnown = moment.refused === true && DENIED_KINDS.has(event.kind) && now === 'deny'
    const then = live.policies.before
      ? decisionOf(judged.before?.record)
      : isKnown
        ? now
        : recordedDecisionOf(moment.answered)
    if (now === then) this.same += 1
    else this.change(judged, then, now)
  }

  private change(judged: EventComparison, before: ReplayDecision, after: ReplayDecision): void {
    this.differ += 1
    const { event, live, at, nth } = judged
    const isStop = after === 'deny'
    const record = after === 'pass' ? judged.before?.record : judged.after?.record
    const [{ gate, rule }, ...also] = decidingRulesOf(record)
    const key = [
      before,
      after,
      gate,
      rule,
      ...also.flatMap(decidingRule => [decidingRule.gate, decidingRule.rule]),
    ].join(' ')
    const known = this.changes.get(key)
    // More changes than any real policy has rules: limits memory.
    if (!known && this.changes.size >= MAX_CHANGES) return
    const change = known ?? { gate, rule, also, before, after, events: 0, sessions: 0, unsure: 0, samples: [] }
    this.changes.set(key, change)
    change.events += 1
    if (live.unknownReasons.size > 0) change.unsure += 1
    if (noteOnce(live, key)) change.sessions += 1
    if (isStop) this.stop(live, at)
    const id = eventIdOf({ key: live.key, nth })
    if (judged.prior) this.wanted = { event, prior: judged.prior, sample: toSample(judged, id), before, after }
    if (!this.options.whole && change.samples.length >= MAX_SAMPLES) return
    const sample = toSample(judged, id)
    const same = `${key}\n${sample.what}`
    const first = this.folded.get(same)
    if (first) first.ids?.push(id)
    else {
      const listed = this.options.whole ? { ...sample, ids: [id] } : sample
      this.folded.set(same, listed)
      change.samples.push(listed)
    }
  }

  private stop(live: ReplaySession, at: number): void {
    live.firstStop ??= at
    live.stops += 1
    if (live.stops === 1) this.stopped += 1
    if (live.stops <= (this.worst?.stops ?? 0)) return
    const minute = Math.floor((live.firstStop - live.began) / 60_000)
    this.worst = { client: live.client, session: redact(live.session), stops: live.stops, minute }
  }

  private countGates({ matches }: Judgement): void {
    for (const { gate, decision, effect, mode, bypassed } of matches) {
      const known = this.gates.get(gate) ?? { gate, deny: 0, ask: 0, warn: 0, would: 0 }
      if (effect === 'deny' || effect === 'ask' || effect === 'warn') known[effect] += 1
      else if (mode === 'observe' && !bypassed && (decision === 'deny' || decision === 'ask')) known.would += 1
      else continue
      this.gates.set(gate, known)
    }
  }
}

/** True the first time for this key in the session. */
function noteOnce({ noted }: ReplaySession, key: string): boolean {
  if (noted.has(key)) return false
  noted.add(key)
  return true
}

const decisionOf = (record: EvaluationResult['record'] | undefined): ReplayDecision =>
  record?.decision === 'pass' && record.matches.some(match => match.effect === 'warn')
    ? 'warn'
    : (record?.decision ?? 'pass')

/** Events of which a session says that a hook denied them. */
const DENIED_KINDS: ReadonlySet<string> = new Set(['tool.before', 'turn.stop', 'agent.stop'])

const isStopDecision = (word: ReplayDecision): boolean => word === 'deny' || word === 'ask'

const recordedDecisionOf = (then: RecordedAnswer | undefined): ReplayDecision =>
  then?.decision === 'pass' && then.warned ? 'warn' : (then?.decision ?? 'pass')

/** The deciding (or warning) rule first, then the other rules with the same effect. */
function decidingRulesOf(record: Judgement | undefined): readonly [DecidingRule, ...DecidingRule[]] {
  const { matches = [] } = record ?? {}
  const match = matches.find(recordedMatch => recordedMatch.effect === 'warn') ?? matches[0]
  const first = { gate: record?.gate ?? match?.gate ?? '', rule: record?.rule ?? match?.rule ?? '' }
  const isFirst = (rule: DecidingRule): boolean => rule.gate === first.gate && rule.rule === first.rule
  const effect = matches.find(isFirst)?.effect
  const also = matches
    .filter(recordedMatch => recordedMatch.effect === effect && !isFirst(recordedMatch))
    .map(({ gate, rule }) => ({ gate, rule }))
  return [first, ...also]
}

/** Depends only on the session and the event's position, so it is the same for every policy. */
export const eventIdOf = ({ key, nth }: Pick<ReplaySession, 'key' | 'nth'>): string =>
  fnv64(`${key} ${nth}`).slice(0, 6)

function toSample({ event, at, live }: EventComparison, id: string): EventSample {
  const { client, session } = live
  return { id, at, client, session: redact(session), caller: redactedCaller(event), what: redactedEventText(event) }
}
