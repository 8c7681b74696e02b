import { createHash } from 'node:crypto'
import {
  type AuditLogReader,
  acquireFileLock,
  type ChainLink,
  type ExportPosition,
  exportLockPath,
  type RawRecord,
  readExportPosition,
  writeExportPosition,
} from '../../store/index.ts'
import { matchRecord, type RecordFilter } from '../filter.ts'
import { abortableSleep, backoffMs } from './backoff.ts'
import type { Collector } from './collector.ts'
import { buildOtlpRequest } from './otlp.ts'
import { type PostResult, postLogs } from './post.ts'

/** Limits of one request. */
const BATCH_LIMITS = { records: 512, characters: 1_000_000 }
const FIRST_PAUSE_MS = 500
/** Without `stays`: number of tries, and the longest `Retry-After` to wait for. */
const MAX_TRIES = 5
const MAX_WAIT_MS = 20_000
/** More consecutive records that are too large mean that the collector is unsuitable, so none of them is skipped. */
const MAX_SKIPPED = 3

export interface ShipmentOptions {
  readonly state: string
  readonly collector: Collector
  readonly filter: RecordFilter
  readonly version: string
  /** retries until it succeeds */
  readonly stays: boolean
  readonly signal: AbortSignal
  readonly log: (line: string) => void
  readonly pauseMs?: number
}

export type Delivery =
  | { readonly kind: 'sent' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'down'; readonly why: string }
  /** permanent: a retry would fail again */
  | { readonly kind: 'refused'; readonly why: string }

/** `halved`: the batch was too large, try with half of it. `aside`: a single record is too large. */
type DeliveryAttempt = Delivery | { readonly kind: 'halved' } | { readonly kind: 'aside' }

const SENT_DELIVERY: Delivery = { kind: 'sent' }
const ENDED_DELIVERY: Delivery = { kind: 'ended' }
const SKIPPED_ATTEMPT: DeliveryAttempt = { kind: 'aside' }

/** Sends the audit log to a collector. The database is the queue; the position is kept beside it: see `export-positions.ts`. */
export class Shipment {
  sent = 0
  rejected = 0
  /** records that retention removed before they were sent */
  lost = 0
  readonly #id: string
  #mark: ExportPosition | undefined
  #gzip: boolean
  #most: number = BATCH_LIMITS.records
  #isDown = false

  constructor(private readonly how: ShipmentOptions) {
    const { collector, filter } = how
    const { since: _, until: __, ...kinds } = filter
    this.#id = createHash('sha256')
      .update(`${collector.url}\n${JSON.stringify(kinds)}`)
      .digest('hex')
      .slice(0, 16)
    this.#gzip = collector.gzip
  }

  /** Undefined if another process sends the same records to the same collector. */
  lock(): { release(): void } | undefined {
    return acquireFileLock(exportLockPath(this.how.state, this.#id))
  }

  /** Sends all remaining records, or returns why it could not. */
  async send(reader: AuditLogReader): Promise<Delivery> {
    let after = this.#begin(reader)
    let known = after
    let aside: number[] = []
    const settle = (): void => {
      this.#leaveOut(aside)
      aside = []
    }
    for (;;) {
      const [first, ...more] = reader.after(after.seq, this.#most)
      if (!first) {
        if (aside.length > 0) this.#keep(after)
        settle()
        return SENT_DELIVERY
      }
      const { rows, end } = this.#batchOf(first, more)
      const delivery = rows.length > 0 ? await this.#deliver(rows) : SENT_DELIVERY
      if (delivery.kind === 'halved') continue
      if (delivery.kind === 'aside') {
        aside.push(rows[0]?.seq ?? first.seq)
        // The records after it may be small: go back to full batches.
        this.#most = BATCH_LIMITS.records
        after = end
        if (aside.length <= MAX_SKIPPED) continue
        return {
          kind: 'refused',
          why: `records ${aside.join(', ')} are each too large for the collector; nothing else was sent`,
        }
      }
      this.#keep(delivery.kind === 'sent' ? end : known)
      if (delivery.kind !== 'sent') return delivery
      settle()
      after = end
      known = end
    }
  }

  /** Skips these records; they stay in the audit log. */
  #leaveOut(aside: readonly number[]): void {
    const { collector, log } = this.how
    this.rejected += aside.length
    for (const seq of aside)
      log(
        `${collector.name}: record ${seq} is too large for the collector: it was not sent, and stays in the audit log`,
      )
  }

  /** Number of records not sent yet. */
  waiting(reader: AuditLogReader): number {
    return Math.max(reader.last() - (this.#mark?.seq ?? 0), 0)
  }

  /** The position to continue after: the last record sent, or the start of the log. */
  #begin(reader: AuditLogReader): ChainLink {
    const { state, log, filter } = this.how
    const anchor = reader.anchor()
    const known = this.#mark ?? readExportPosition(state, this.#id)
    if (!known) return this.#since(reader, filter.since) ?? anchor
    if (known.seq < anchor.seq) {
      this.lost += anchor.seq - known.seq
      log(`records ${known.seq + 1} to ${anchor.seq} were removed by retention before they were sent`)
      return this.#keep(anchor)
    }
    const [there] = known.seq > anchor.seq ? reader.after(known.seq - 1, 1) : [anchor]
    if (there?.seq === known.seq && there.hash === known.hash) return known
    log(
      `record ${known.seq} is not the last one that was sent: the audit log was restarted or changed, and is sent again from the start`,
    )
    return this.#keep(anchor)
  }

  /** The last record before `since`, where a first run starts instead of sending the whole log. */
  #since(reader: AuditLogReader, since: number | undefined): ChainLink | undefined {
    if (since === undefined) return undefined
    let before = Number.MAX_SAFE_INTEGER
    for (;;) {
      const page = reader.before(before, BATCH_LIMITS.records)
      const old = page.find(({ json }) => Number(/^\{"at":(\d+)/.exec(json)?.[1]) < since)
      if (old) return old
      const last = page.at(-1)
      if (!last) return undefined
      before = last.seq
    }
  }

  /** The matching records of a batch; `end` is the last record read. */
  #batchOf(
    first: RawRecord,
    more: readonly RawRecord[],
  ): { readonly rows: readonly RawRecord[]; readonly end: RawRecord } {
    const rows: RawRecord[] = []
    let size = 0
    let end = first
    for (const raw of [first, ...more]) {
      size += raw.json.length
      if (size > BATCH_LIMITS.characters && raw !== first) break
      end = raw
      if (matchRecord(raw, this.how.filter) !== undefined) rows.push(raw)
    }
    return { rows, end }
  }

  #keep({ seq, hash }: ChainLink): ExportPosition {
    const { state, collector } = this.how
    this.#mark = { seq, hash, to: collector.name, at: Date.now() }
    writeExportPosition(state, this.#id, this.#mark)
    return this.#mark
  }

  async #deliver(rows: readonly RawRecord[]): Promise<DeliveryAttempt> {
    const { collector, version, log, stays, signal, pauseMs = FIRST_PAUSE_MS } = this.how
    for (let nth = 1; ; nth++) {
      const now = Date.now()
      const body = JSON.stringify(buildOtlpRequest(rows, { attributes: collector.resource, version }, now))
      const posted = await postLogs(collector, body, { gzip: this.#gzip, signal })
      const done = this.#settled(posted, rows)
      if (done) return done
      if (posted.kind !== 'later') continue
      if (signal.aborted) return ENDED_DELIVERY
      const wait = posted.afterMs ?? backoffMs(nth, pauseMs)
      if (!stays && (nth >= MAX_TRIES || wait > MAX_WAIT_MS)) return { kind: 'down', why: posted.why }
      if (!this.#isDown) log(`${collector.name}: ${posted.why}; nothing is lost, retrying`)
      this.#isDown = true
      await abortableSleep(wait, signal)
      if (signal.aborted) return ENDED_DELIVERY
    }
  }

  /** The final result of a request; undefined to try again. */
  #settled(posted: PostResult, rows: readonly RawRecord[]): DeliveryAttempt | undefined {
    const { collector, log } = this.how
    if (posted.kind === 'taken') {
      if (this.#isDown) log(`${collector.name}: connected again`)
      this.#isDown = false
      const rejected = Math.min(posted.rejected, rows.length)
      this.sent += rows.length - rejected
      this.rejected += rejected
      if (rejected > 0)
        log(`${collector.name} rejected ${rejected} of ${rows.length}: ${posted.why || 'no reason given'}`)
      return SENT_DELIVERY
    }
    if (posted.kind === 'refused') return posted
    if (posted.kind === 'too large') {
      if (rows.length === 1) return SKIPPED_ATTEMPT
      this.#most = Math.max(1, Math.floor(rows.length / 2))
      return { kind: 'halved' }
    }
    if (posted.kind === 'not packed') this.#gzip = false
    return undefined
  }
}
