import type { Event, Input, Record as Judgement, Result } from '../core/index.ts'
import { digest } from '../pattern/index.ts'
import { redact } from '../store/index.ts'
import type { Judged, Live } from './judge.ts'
import type { Moved } from './moved.ts'
import type { Answered, Moment } from './past.ts'
import { callerOf, whatOf } from './said-of.ts'

/** What comes of an event. */
export type Word = 'deny' | 'ask' | 'allow' | 'warn' | 'pass'

export interface Sample {
  /** for `--diff` */
  readonly id: string
  readonly at: number
  readonly client: string
  readonly session: string
  readonly caller: string
  readonly what: string
  /** where all are kept: of every event that is the same as this one */
  readonly ids?: string[]
}

interface Wish {
  /** the id of an event that is wanted whole */
  readonly want?: string
  /** every event that differs is kept, the same ones folded */
  readonly whole?: boolean
}

export interface Speaker {
  readonly gate: string
  readonly rule: string
}

/** Events that the same rules answer otherwise. */
export interface Change extends Speaker {
  /** who says the same of them: each would be enough */
  readonly also: readonly Speaker[]
  readonly before: Word
  readonly after: Word
  events: number
  sessions: number
  /** of the events: what was judged without knowing all that came before */
  unsure: number
  readonly samples: Sample[]
}

/** What a gate said on the side that is tried. */
export interface GateCount {
  readonly gate: string
  deny: number
  ask: number
  warn: number
  /** it would have denied or asked, and only observes */
  would: number
}

export interface Worst {
  readonly client: string
  readonly session: string
  readonly stops: number
  /** from its first event to the first stop */
  readonly minute: number
}

/** One event that was asked for by its id. */
export interface Wanted {
  readonly sample: Sample
  readonly before: Word
  readonly after: Word
  readonly event: Event
  readonly inputs: { readonly after: Input; readonly before?: Input }
  /** what moved its gates last, on each side */
  readonly moved?: { readonly after: LastMoves; readonly before: LastMoves }
}

type LastMoves = ReadonlyMap<string, Moved>

const MOST_SAMPLES = 5
const MOST_CHANGES = 1000

/** Counts, and a few samples: as much for a million events as for a thousand, unless all are asked for. */
export class Tally {
  events = 0
  calls = 0
  sessions = 0
  same = 0
  differ = 0
  /** events that on the side tried do not come to be: the call was refused before */
  void = 0
  from: number | undefined
  to: number | undefined
  worst: Worst | undefined
  stopped = 0
  wanted: Wanted | undefined
  readonly clients = new Map<string, number>()
  readonly gaps = new Map<string, number>()
  readonly changes = new Map<string, Change>()
  readonly gates = new Map<string, GateCount>()

  private readonly folded = new Map<string, Sample>()

  constructor(private readonly wish: Wish = {}) {}

  /** `isDecisive`: the event of its payload that is answered. */
  note(judged: Judged, moment: Moment, isDecisive = true): void {
    const { event, at, live, after } = judged
    this.events += 1
    if (event.kind === 'tool.before') this.calls += 1
    this.from ??= at
    this.to = at
    if (once(live, '')) {
      this.sessions += 1
      this.clients.set(live.client, (this.clients.get(live.client) ?? 0) + 1)
    }
    if (moment.lost !== undefined) live.lost.add(moment.lost)
    for (const gap of [...(moment.gaps ?? []), ...live.lost]) this.gaps.set(gap, (this.gaps.get(gap) ?? 0) + 1)
    if (!after) {
      this.void += 1
      return
    }
    if (!isDecisive && isStop(wordOf(after.record))) {
      this.same += 1
      return
    }
    this.countGates(after.record)
    const now = wordOf(after.record)
    // what this policy denies, and a hook denied then, is what happened
    const isKnown = moment.refused === true && event.kind === 'tool.before' && now === 'deny'
    const then = live.bench.before ? wordOf(judged.before?.record) : isKnown ? now : answered(moment.answered)
    if (now === then) this.same += 1
    else this.change(judged, then, now)
  }

  private change(judged: Judged, before: Word, after: Word): void {
    this.differ += 1
    const { live, at } = judged
    const isStop = after === 'deny'
    const speaks = after === 'pass' ? judged.before?.record : judged.after?.record
    const [{ gate, rule }, ...also] = speakersOf(speaks)
    const key = [before, after, gate, rule, ...also.flatMap(one => [one.gate, one.rule])].join(' ')
    const known = this.changes.get(key)
    // a policy has no more rules than this; a broken one must not fill the memory
    if (!known && this.changes.size >= MOST_CHANGES) return
    const change = known ?? { gate, rule, also, before, after, events: 0, sessions: 0, unsure: 0, samples: [] }
    this.changes.set(key, change)
    change.events += 1
    if (live.lost.size > 0) change.unsure += 1
    if (once(live, key)) change.sessions += 1
    if (isStop) this.stop(live, at)
    const id = idOf(live)
    if (id === this.wish.want) this.wanted = { ...judged, sample: sampleOf(judged, id), before, after }
    if (!this.wish.whole && change.samples.length >= MOST_SAMPLES) return
    const sample = sampleOf(judged, id)
    const same = `${key}\n${sample.what}`
    const first = this.folded.get(same)
    if (first) first.ids?.push(id)
    else {
      const kept = this.wish.whole ? { ...sample, ids: [id] } : sample
      this.folded.set(same, kept)
      change.samples.push(kept)
    }
  }

  private stop(live: Live, at: number): void {
    live.firstStop ??= at
    live.stops += 1
    if (live.stops === 1) this.stopped += 1
    if (live.stops <= (this.worst?.stops ?? 0)) return
    const minute = Math.floor((live.firstStop - live.began) / 60_000)
    this.worst = { client: live.client, session: redact(live.session), stops: live.stops, minute }
  }

  private countGates({ matches }: Judgement): void {
    for (const { gate, says, effect, mode, bypassed } of matches) {
      const known = this.gates.get(gate) ?? { gate, deny: 0, ask: 0, warn: 0, would: 0 }
      if (effect === 'deny' || effect === 'ask' || effect === 'warn') known[effect] += 1
      else if (mode === 'observe' && !bypassed && (says === 'deny' || says === 'ask')) known.would += 1
      else continue
      this.gates.set(gate, known)
    }
  }
}

/** True the first time in this session. */
function once({ noted }: Live, key: string): boolean {
  if (noted.has(key)) return false
  noted.add(key)
  return true
}

const wordOf = (record: Result['record'] | undefined): Word =>
  record?.decision === 'pass' && record.matches.some(one => one.effect === 'warn')
    ? 'warn'
    : (record?.decision ?? 'pass')

const isStop = (word: Word): boolean => word === 'deny' || word === 'ask'

const answered = (then: Answered | undefined): Word =>
  then?.decision === 'pass' && then.warned ? 'warn' : (then?.decision ?? 'pass')

/** Who decided, of a warning who warned; then whoever said the same. */
function speakersOf(record: Judgement | undefined): readonly [Speaker, ...Speaker[]] {
  const { matches = [] } = record ?? {}
  const match = matches.find(one => one.effect === 'warn') ?? matches[0]
  const first = { gate: record?.gate ?? match?.gate ?? '', rule: record?.rule ?? match?.rule ?? '' }
  const isFirst = (one: Speaker): boolean => one.gate === first.gate && one.rule === first.rule
  const said = matches.find(isFirst)?.effect
  const also = matches.filter(one => one.effect === said && !isFirst(one)).map(({ gate, rule }) => ({ gate, rule }))
  return [first, ...also]
}

/** The same for the same past, whatever the policy. */
export const idOf = ({ key, nth }: Pick<Live, 'key' | 'nth'>): string => digest(`${key} ${nth}`).slice(0, 6)

function sampleOf({ event, at, live }: Judged, id: string): Sample {
  const { client, session } = live
  return { id, at, client, session: redact(session), caller: callerOf(event), what: whatOf(event) }
}
