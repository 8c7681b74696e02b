import type { ServerResponse } from 'node:http'
import { followAuditLog } from '../../../audit/index.ts'
import { messageOf } from '../../../lib/errors.ts'
import type { AuditLogReader } from '../../../store/index.ts'
import type { StreamEvents } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import { type DecisionSearch, readMatchingAfter, recordMatcherFor } from '../pages/decisions.ts'
import { callResultsAfter } from '../records/call-results.ts'
import { decisionRowOf } from '../records/decision-row.ts'
import type { RecordMatcher } from '../records/scan.ts'
import { HttpError } from './http-error.ts'

const MAX_STREAMS = 32
const HEARTBEAT_MS = 15_000
/** how often a missing database is noticed: nothing is written to it, so nothing else tells */
const LOSS_CHECK_MS = 1000
/** ten times a second looks live, and costs little CPU */
const INTERVAL_MS = 100
const MAX_ROWS = 200
/** a page that is further behind skips to the end, and gets a `skipped` event */
const MAX_BACKLOG = 2000
/** bytes that the page has not read yet */
const MAX_BUFFERED = 256 << 10
/** for a page that reads nothing */
const STALL_TIMEOUT_MS = 60_000
const RETRY_MS = 2000

interface OpenPage {
  readonly response: ServerResponse
  readonly wanted: RecordMatcher
  /** the last record that the page has */
  last: number
  sentAt: number
  /** since when the page reads nothing */
  fullAt: number | undefined
}

/** Sends new decisions to every open page. One reader serves all pages; a page that is too slow skips records and is notified. */
export class DecisionStreams {
  readonly #pages = new Set<OpenPage>()
  #following: AbortController | undefined
  #beats: NodeJS.Timeout | undefined
  /** why the audit log cannot be followed at the moment */
  #trouble: string | undefined

  constructor(
    private readonly archive: DashboardRecords,
    private readonly changed: (pages: number) => void,
  ) {}

  get size(): number {
    return this.#pages.size
  }

  /** Throws if too many pages are open. */
  check(): void {
    if (this.#pages.size >= MAX_STREAMS)
      throw new HttpError(503, `${MAX_STREAMS} dashboard pages are open already`, 'close some of them')
  }

  /** `after`: the last record the page has; without it the stream starts at the end. */
  add(response: ServerResponse, { filter, project }: DecisionSearch, after: number | undefined): void {
    const end = this.#end()
    const page: OpenPage = {
      response,
      wanted: recordMatcherFor(this.archive, filter, project),
      last: end === undefined ? (after ?? 0) : Math.min(after ?? end, end),
      sentAt: 0,
      fullAt: undefined,
    }
    this.#pages.add(page)
    response.on('close', () => this.#remove(page))
    response.on('error', () => this.#remove(page))
    response.write(`retry: ${RETRY_MS}\n\n`)
    const problem = this.#trouble ?? (end === undefined ? 'the audit log cannot be read' : undefined)
    if (problem === undefined) sendEvent(page, 'beat', { last: page.last, now: Date.now() })
    else sendEvent(page, 'trouble', { error: problem })
    // the follower clears it once the audit log is readable
    this.#trouble = problem
    this.changed(this.#pages.size)
    this.#begin()
    void this.#sendRows()
  }

  /** Undefined if the audit log cannot be read; it may be readable later. */
  #end(): number | undefined {
    try {
      return this.archive.read(auditLog => auditLog.last()) ?? 0
    } catch {
      return undefined
    }
  }

  end(): void {
    for (const page of this.#pages) page.response.end()
    this.#stop()
  }

  #remove(page: OpenPage): void {
    if (!this.#pages.delete(page)) return
    this.changed(this.#pages.size)
    if (this.#pages.size === 0) this.#stop()
  }

  #begin(): void {
    if (this.#following) return
    const following = new AbortController()
    this.#following = following
    this.#beats = setInterval(() => this.#beat(), LOSS_CHECK_MS).unref()
    void this.#follow(following.signal)
  }

  #stop(): void {
    this.#following?.abort()
    this.#following = undefined
    clearInterval(this.#beats)
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await followAuditLog(this.archive.state, signal, async auditLog => {
          for (const page of this.#pages) sendNewRows(page, auditLog)
          this.#isWell()
          await sleep(INTERVAL_MS)
        })
      } catch (error) {
        this.#trouble = `the audit log cannot be read: ${messageOf(error)}`
        for (const page of this.#pages) sendEvent(page, 'trouble', { error: this.#trouble })
        await sleep(RETRY_MS)
      }
    }
  }

  #isWell(): void {
    if (this.#trouble === undefined) return
    this.#trouble = undefined
    for (const page of this.#pages) sendEvent(page, 'beat', { last: page.last, now: Date.now() })
  }

  /** Sends a new page the records since its last one at once. */
  async #sendRows(): Promise<void> {
    try {
      this.archive.read(auditLog => {
        for (const page of this.#pages) sendNewRows(page, auditLog)
      })
    } catch {
      // the follower reports the error
    }
  }

  /** The follower reports that the audit log is back. */
  #checkLoss(): void {
    if (this.#trouble !== undefined || !this.#isLost()) return
    this.#trouble = 'the audit log is gone'
    for (const page of this.#pages) sendEvent(page, 'trouble', { error: this.#trouble })
  }

  #isLost(): boolean {
    try {
      return this.archive.isLost
    } catch {
      // the follower reports the error
      return false
    }
  }

  #beat(): void {
    const now = Date.now()
    this.#checkLoss()
    for (const page of this.#pages) {
      if (page.fullAt !== undefined && isBufferFull(page) && now > page.fullAt + STALL_TIMEOUT_MS)
        page.response.destroy()
      else if (now < page.sentAt + HEARTBEAT_MS || isBufferFull(page)) continue
      else if (this.#trouble === undefined) sendEvent(page, 'beat', { last: page.last, now })
      else sendEvent(page, 'trouble', { error: this.#trouble })
    }
  }
}

const isBufferFull = ({ response }: OpenPage): boolean => response.writableLength > MAX_BUFFERED

/** Sends a page its new rows, as far as its buffer allows. */
function sendNewRows(page: OpenPage, auditLog: AuditLogReader): void {
  const end = auditLog.last()
  // the audit log was replaced
  if (end < page.last) page.last = 0
  if (isBufferFull(page)) {
    page.fullAt ??= Date.now()
    return
  }
  page.fullAt = undefined
  if (end - page.last > MAX_BACKLOG) {
    const to = end - MAX_ROWS
    sendEvent(page, 'skipped', { n: to - page.last, from: page.last + 1, to }, to)
    page.last = to
  }
  while (page.last < end && !isBufferFull(page)) {
    const { found, last, looked } = readMatchingAfter(auditLog, page.last, page.wanted, MAX_ROWS)
    if (looked === 0) return
    const ends = callResultsAfter(auditLog, page.last, last)
    page.last = last
    if (found.length > 0) sendEvent(page, 'decisions', { rows: found.map(decisionRowOf), last }, last)
    if (ends.length > 0) sendEvent(page, 'ends', { ends })
  }
}

/** Sends one event. Its id is the last record that the page then has. */
function sendEvent<E extends keyof StreamEvents>(
  page: OpenPage,
  event: E,
  data: StreamEvents[E],
  id = page.last,
): void {
  page.sentAt = Date.now()
  // JSON.stringify produces no line breaks
  page.response.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

const sleep = (ms: number): Promise<void> => new Promise(done => setTimeout(done, ms).unref())
