import { renderPrometheus, rollUpRecords, StatsDatabase } from '../../audit/stats/index.ts'
import { AuditLogReader, type LibsqlConstructor } from '../../store/index.ts'
import { BUILD, VERSION } from '../index.ts'

export interface StatsWorkerOptions {
  readonly state: string
  readonly libsql: () => LibsqlConstructor
  /** whether an event is being answered */
  isBusy(): boolean
  log(line: string): void
  readonly quietMs?: number | undefined
}

/** Starts after this time without an event. */
const QUIET_MS = 2000
/** An event waits for at most one batch: about three milliseconds. */
const BATCH_SIZE = 64
/** between two batches, and while an event is being answered */
const PAUSE_MS = 5
/** a scrape gets what is counted by then */
const SCRAPE_TIMEOUT_MS = 1000

/** Updates the statistics in small batches while no event needs an answer. Closes its databases after each update to free memory. */
export class StatsWorker {
  readonly #quietMs: number
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #asked: Promise<string> | undefined

  constructor(private readonly accounting: StatsWorkerOptions) {
    this.#quietMs = accounting.quietMs ?? QUIET_MS
  }

  /** Called for every event: postpones the update. */
  see(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#quietly(), this.#quietMs).unref()
  }

  /** The text for Prometheus. Requests at the same time share one result. */
  text(): Promise<string> {
    this.#asked ??= this.#counted(SCRAPE_TIMEOUT_MS, book =>
      renderPrometheus(book, { version: VERSION, build: BUILD }),
    ).finally(() => {
      this.#asked = undefined
    })
    return this.#asked
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  async #quietly(): Promise<void> {
    try {
      await this.#counted(Number.POSITIVE_INFINITY, () => '')
    } catch (error) {
      this.accounting.log(
        `the statistics could not be brought up to date: ${error instanceof Error ? error.message : error}`,
      )
    }
  }

  async #counted(limitMs: number, render: (book: StatsDatabase) => string): Promise<string> {
    const { state, libsql } = this.accounting
    const end = uptimeMs() + limitMs
    const auditLog = AuditLogReader.open(state, libsql)
    const book = auditLog ? StatsDatabase.open(state, libsql) : StatsDatabase.inMemory(libsql)
    try {
      // without a stored database, everything would have to be counted each time
      while (auditLog && book.isOnDisk && !this.#isOver && uptimeMs() < end) {
        if (!this.accounting.isBusy() && rollUpRecords(auditLog, book, { most: BATCH_SIZE, now: Date.now() }).isDone)
          break
        await new Promise(done => setTimeout(done, PAUSE_MS))
      }
      return render(book)
    } finally {
      book.close()
      auditLog?.close()
    }
  }
}

const uptimeMs = (): number => process.uptime() * 1000
