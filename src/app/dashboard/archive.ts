import { join } from 'node:path'
import { rollUpRecords, StatsDatabase } from '../../audit/stats/index.ts'
import { messageOf } from '../../lib/errors.ts'
import {
  AuditLogReader,
  ChainBrokenError,
  findAuditLogProblem,
  IncrementalChainCheck,
  inodeOf,
  inspectStore,
  isAgentRecord,
  isCorruption,
  isLockBusy,
  type LiveSession,
  SessionReader,
} from '../../store/index.ts'
import { RecordLookup, type SessionRootOf } from './records/lookup.ts'
import { removeLookupFile } from './records/lookup-file.ts'
import { sessionKeyOf } from './records/session-sums.ts'
import { DatabaseLockedError, HttpError } from './server/http-error.ts'

const MAX_LIVE = 5000
/** the same as the daemon's batch size: other counting processes wait at most this long */
const BATCH_SIZE = 64
const ROOTS_CACHE_MS = 100
/** how often a damaged file is checked for a repair in place, which keeps its inode */
const REPAIR_CHECK_MS = 3000
/** how often the hash chain is checked from its beginning, and how many records at once */
const CHAIN_CHECK = { everyMs: 10 * 60_000, page: 250 }

/** A check of the whole hash chain, done in parts. */
interface ChainCheckState {
  readonly chain: IncrementalChainCheck
  readonly inode: number | undefined
  /** by `performance.now()` */
  doneAt?: number
  flaw?: string
}

/** Read access to everything stored. Opens the audit log for each request: it may be moved or removed at any time. */
export class DashboardRecords {
  /** the latest active project */
  lastRoot: string | undefined
  #lookup: RecordLookup | undefined
  /** kept open while there is much to count */
  #book: StatsDatabase | undefined
  #roots: { readonly at: number; readonly known: ReadonlyMap<string, string> } = {
    at: -ROOTS_CACHE_MS,
    known: new Map(),
  }

  /** damage that was found; remembered, because some parts may still be readable and answers must stay consistent */
  #damaged: { readonly inode: number | undefined; readonly problem: string; looked: number } | undefined
  #walk: ChainCheckState | undefined
  #isAbsent = false

  constructor(readonly state: string) {}

  /** Why the records, or some of them, cannot be read. Cleared when another file takes the place. */
  get damage(): string | undefined {
    const found = this.#damaged
    if (!found) return undefined
    if (found.inode !== this.#inode || this.#isRepaired(found)) this.#damaged = undefined
    return this.#damaged?.problem
  }

  /** Changes when the database is removed, replaced, emptied or damaged. A page that sees another value asks for the status again. */
  get mark(): string {
    return `${this.#inode ?? 'none'}${this.#isAbsent ? ' absent' : ''}${this.#damaged ? ' damaged' : ''}`
  }

  /** There was an audit log, and now there is none. */
  get isLost(): boolean {
    return this.read(() => true) === undefined && this.broken !== undefined
  }

  /** What is wrong with an audit log that can still be read. */
  get broken(): string | undefined {
    try {
      return findAuditLogProblem(this.state) ?? this.#walk?.flaw
    } catch {
      return this.#walk?.flaw
    }
  }

  #isRepaired(found: { looked: number }): boolean {
    if (performance.now() < found.looked + REPAIR_CHECK_MS) return false
    found.looked = performance.now()
    const { state } = inspectStore(this.state)
    return state === 'sound' || state === 'absent'
  }

  get #inode(): number | undefined {
    return inodeOf(join(this.state, 'signalbox.db'))
  }

  /** Undefined if there is no audit log yet. */
  read<T>(work: (auditLog: AuditLogReader) => T): T | undefined {
    try {
      const auditLog = AuditLogReader.open(this.state)
      this.#isAbsent = auditLog === undefined
      if (!auditLog) return undefined
      try {
        return work(auditLog)
      } finally {
        auditLog.close()
      }
    } catch (error) {
      this.#dropAsides(error)
      throw this.#unreadable(error)
    }
  }

  /** Runs `work`, or `otherwise` if the audit log cannot be read. */
  attempt<T>(work: () => T, otherwise: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof HttpError && error.status === 503) return otherwise()
      throw error
    }
  }

  /** Sessions that may continue, latest first, without canaries. */
  live(now = Date.now()): readonly LiveSession[] {
    return (this.sessions(reader => reader.live(now, MAX_LIVE)) ?? []).filter(isAgentRecord)
  }

  sessions<T>(work: (reader: SessionReader) => T): T | undefined {
    try {
      const reader = SessionReader.open(this.state)
      if (!reader) return undefined
      try {
        return work(reader)
      } finally {
        reader.close()
      }
    } catch (error) {
      throw this.#unreadable(error)
    }
  }

  /** Opens the statistics after counting new records for at most `ms`. */
  book<T>(auditLog: AuditLogReader | undefined, ms: number, work: (book: StatsDatabase) => T): T {
    const book = auditLog ? StatsDatabase.open(this.state) : StatsDatabase.inMemory()
    try {
      if (auditLog) countFor(auditLog, book, ms)
      return work(book)
    } finally {
      book.close()
    }
  }

  lookup(): RecordLookup {
    this.#lookup ??= new RecordLookup(this.state)
    return this.#lookup
  }

  /** Indexes and counts new records in the background. True if nothing is left to do. */
  tidy(ms: number): boolean {
    const done = this.read(auditLog => {
      const isSorted = this.lookup().advance(auditLog, this.#rootsOnTheWay(), ms / 2)
      this.#book ??= StatsDatabase.open(this.state)
      const isCounted = countFor(auditLog, this.#book, ms / 2)
      return isCounted && isSorted && this.#walkOn(auditLog, ms / 2)
    })
    // closed until the next round: another process may find the file damaged and replace it
    if (done !== false) this.#closeBook()
    return done ?? true
  }

  /** Continues the chain check if it is due. True if nothing is left to do. */
  #walkOn(auditLog: AuditLogReader, ms: number): boolean {
    const walk = this.#walkNow()
    if (walk.doneAt !== undefined && walk.flaw !== undefined) return true
    try {
      const end = performance.now() + ms
      while (performance.now() < end) {
        if (!walk.chain.next(auditLog, CHAIN_CHECK.page)) continue
        walk.doneAt ??= performance.now()
        delete walk.flaw
        return true
      }
      return false
    } catch (error) {
      if (!(error instanceof ChainBrokenError)) throw error
      walk.flaw = error.message
      walk.doneAt = performance.now()
      return true
    }
  }

  /** Restarts a finished check after a while, or for a new database. A found flaw is kept until then. */
  #walkNow(): ChainCheckState {
    const [inode, old] = [this.#inode, this.#walk]
    const isSame = old !== undefined && old.inode === inode
    if (isSame && (old.doneAt === undefined || performance.now() < old.doneAt + CHAIN_CHECK.everyMs)) return old
    this.#walk = {
      chain: new IncrementalChainCheck(),
      inode,
      ...(isSame && old.flaw !== undefined && { flaw: old.flaw }),
    }
    return this.#walk
  }

  /** The project of each session that may continue, as of now. */
  rootOf(): SessionRootOf {
    const roots = this.#liveRoots()
    return (client, session) => roots.get(sessionKeyOf({ client, session }))
  }

  #liveRoots = (): ReadonlyMap<string, string> =>
    new Map(this.live().map(session => [sessionKeyOf(session), session.root]))

  /** Used while indexing: an unknown session may be new, so live sessions are read again, but at most every `ROOTS_CACHE_MS`. */
  #rootsOnTheWay(): SessionRootOf {
    return (client, session) => {
      const key = sessionKeyOf({ client, session })
      if (!this.#roots.known.has(key) && performance.now() > this.#roots.at + ROOTS_CACHE_MS)
        this.#roots = { at: performance.now(), known: this.#liveRoots() }
      return this.#roots.known.get(key)
    }
  }

  close(): void {
    this.#closeBook()
    this.#lookup?.close()
    this.#lookup = undefined
  }

  /** The lookup or statistics file may be the cause: both are reopened at the next request, and a damaged lookup is rebuilt. */
  #dropAsides(error: unknown): void {
    if (error instanceof HttpError) return
    this.close()
    if (isCorruption(error)) removeLookupFile(this.state)
  }

  #unreadable(error: unknown): unknown {
    if (error instanceof HttpError) return error
    // side files throw plain errors; the database's readers wrap the cause
    if (error instanceof Error && isCorruption(error.cause))
      this.#damaged = { inode: this.#inode, problem: error.message, looked: performance.now() }
    const problem = `the audit log cannot be read: ${messageOf(error)}`
    if (error instanceof Error && isLockBusy(error.cause)) return new DatabaseLockedError(problem)
    return new HttpError(503, problem, '`signalbox doctor` shows what to do')
  }

  #closeBook(): void {
    this.#book?.close()
    this.#book = undefined
  }
}

/** True if everything is counted, or if the counts cannot be stored: then each request would count all records again. */
function countFor(auditLog: AuditLogReader, book: StatsDatabase, ms: number): boolean {
  const end = performance.now() + ms
  while (performance.now() < end)
    if (rollUpRecords(auditLog, book, { most: BATCH_SIZE, now: Date.now() }).isDone) return true
  return !book.isOnDisk
}
