import { type Client, clientById } from '../../../clients/index.ts'
import type { Decision, Event } from '../../../engine/index.ts'
import { tryOr } from '../../../lib/errors.ts'
import type { TranscriptSource } from './find-transcripts.ts'
import { type TranscriptError, TranscriptReader } from './transcript-reader.ts'

/** The events of one payload, at one time. */
export interface TimelineEntry {
  readonly at: number
  readonly client: Client
  readonly events: readonly Event[]
  /** the recorded decision, if known */
  readonly answered?: RecordedAnswer
  /** the callers were inferred when the events were recorded: one that is unknown stays unknown */
  readonly areCallersKnown?: true
  /** a hook denied the call or the stop back then, Signalbox or another */
  readonly refused?: true
  /** why it cannot be judged exactly as it was then */
  readonly gaps?: readonly string[]
  /** why the session's state is uncertain from here on */
  readonly lost?: string
}

export interface RecordedAnswer {
  readonly decision: Decision
  readonly warned: boolean
}

/** No more events of this session follow. */
export interface SessionEnd {
  readonly over: string
}

/** Sessions of two clients are different even if their ids are equal. */
export const sessionKey = ({ client, session }: Pick<Event, 'client' | 'session'>): string => `${client} ${session}`

/**
 * Merges all transcripts by time; at equal times the first file comes first. A transcript is opened only when its start time is
 * reached, and dropped at its end.
 */
export function* mergeTranscripts(
  found: readonly TranscriptSource[],
  complain: (flaw: TranscriptError) => void,
): Generator<TimelineEntry | SessionEnd> {
  const waiting = [...found].sort((a, b) => startTimeOf(a) - startTimeOf(b) || (a.file < b.file ? -1 : 1)).reverse()
  const left = new Map<string, number>()
  for (const source of found) left.set(transcriptSessionKey(source), (left.get(transcriptSessionKey(source)) ?? 0) + 1)
  const heap = new TranscriptHeap()
  for (;;) {
    // Open every transcript that begins before the next event.
    for (let next = waiting.at(-1); next && startTimeOf(next) <= (heap.first?.at ?? Infinity); next = waiting.at(-1)) {
      waiting.pop()
      const tape = new TranscriptReader(next, complain)
      if (tape.at === undefined) yield* closeTranscript(next, left)
      else heap.push(tape)
    }
    const tape = heap.first
    if (!tape) return
    const { at = 0 } = tape
    const next = tape.take()
    const client = clientById(tape.found.by.id)
    if (next && client) {
      const { payload, lost, refused } = next
      const more = { ...(lost !== undefined && { lost }), ...(refused && { refused }) }
      yield { at, client, events: decodePayload(client, payload), ...more }
    }
    if (tape.at === undefined) {
      heap.pop()
      yield* closeTranscript(tape.found, left)
    } else heap.sink()
  }
}

const startTimeOf = ({ at = 0 }: TranscriptSource): number => at
const transcriptSessionKey = ({ by, session, file }: TranscriptSource): string =>
  sessionKey({ client: by.id, session: session ?? file })

function* closeTranscript(found: TranscriptSource, left: Map<string, number>): Generator<SessionEnd> {
  const name = transcriptSessionKey(found)
  const rest = (left.get(name) ?? 1) - 1
  left.set(name, rest)
  if (rest > 0) return
  left.delete(name)
  yield { over: name }
}

const decodePayload = (client: Client, payload: Parameters<Client['decode']>[0]): readonly Event[] =>
  tryOr([], () => client.decode(payload, {}))

/** A min-heap of transcripts, ordered by the time of their next event. */
class TranscriptHeap {
  private readonly tapes: TranscriptReader[] = []

  get first(): TranscriptReader | undefined {
    return this.tapes[0]
  }

  push(tape: TranscriptReader): void {
    let at = this.tapes.push(tape) - 1
    for (let up = (at - 1) >> 1; at > 0 && this.isBefore(at, up); up = (at - 1) >> 1) {
      this.swap(at, up)
      at = up
    }
  }

  pop(): void {
    const last = this.tapes.pop()
    if (!last || this.tapes.length === 0) return
    this.tapes[0] = last
    this.sink()
  }

  /** Restores the order after the first transcript has advanced. */
  sink(): void {
    for (let at = 0; ; ) {
      let least = at
      for (let below = 2 * at + 1; below <= 2 * at + 2 && below < this.tapes.length; below++)
        if (this.isBefore(below, least)) least = below
      if (least === at) return
      this.swap(at, least)
      at = least
    }
  }

  private isBefore(a: number, b: number): boolean {
    const one = this.tapes[a]
    const other = this.tapes[b]
    const now = one?.at ?? Infinity
    const then = other?.at ?? Infinity
    return now === then ? (one?.found.file ?? '') < (other?.found.file ?? '') : now < then
  }

  private swap(a: number, b: number): void {
    const one = this.tapes[a]
    const other = this.tapes[b]
    if (!one || !other) return
    this.tapes[a] = other
    this.tapes[b] = one
  }
}
