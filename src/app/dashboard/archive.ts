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
/** as the daemon counts: who else counts waits no longer than for this */
const BATCH_SIZE = 64
const ROOTS_CACHE_MS = 100
/** a file that was mended in its place has the same number: so often it is looked at whether it was */
const REPAIR_CHECK_MS = 3000
/** how often the chain is walked from its beginning, and how many records at once */
const CHAIN_CHECK = { everyMs: 10 * 60_000, page: 250 }

/** Of the whole chain, in parts. */
interface ChainCheckState {
  readonly chain: IncrementalChainCheck
  readonly inode: number | undefined
  /** on the process's own clock */
  doneAt?: number
  flaw?: string
}

/** All that is kept, for who only looks. The trail is opened for each question: it may be set aside or removed at any time. */
export class RecordArchive {
  /** the project that was last heard of */
  lastRoot: string | undefined
  #lookup: RecordLookup | undefined
  /** while there is much to count */
  #book: StatsDatabase | undefined
  #roots: { readonly at: number; readonly known: ReadonlyMap<string, string> } = {
    at: -ROOTS_CACHE_MS,
    known: new Map(),
  }

  /** what was found damaged: one part of it may be read, another not, and who asks must not hear now this, now that */
  #damaged: { readonly inode: number | undefined; readonly says: string; looked: number } | undefined
  #walk: ChainCheckState | undefined

  constructor(readonly state: string) {}

  /** Why what was recorded cannot be read, or not all of it; until another file is in its place. */
  get damage(): string | undefined {
    const found = this.#damaged
    if (!found) return undefined
    if (found.inode !== this.#inode || this.#isMended(found)) this.#damaged = undefined
    return this.#damaged?.says
  }

  /** What is wrong with the trail, though it can be read. */
  get broken(): string | undefined {
    try {
      return findAuditLogProblem(this.state) ?? this.#walk?.flaw
    } catch {
      return this.#walk?.flaw
    }
  }

  #isMended(found: { looked: number }): boolean {
    if (performance.now() < found.looked + REPAIR_CHECK_MS) return false
    found.looked = performance.now()
    const { state } = inspectStore(this.state)
    return state === 'sound' || state === 'absent'
  }

  get #inode(): number | undefined {
    return inodeOf(join(this.state, 'signalbox.db'))
  }

  /** Undefined: nobody has called yet, so there is nothing to read. */
  read<T>(work: (trail: AuditLogReader) => T): T | undefined {
    try {
      const trail = AuditLogReader.open(this.state)
      if (!trail) return undefined
      try {
        return work(trail)
      } finally {
        trail.close()
      }
    } catch (error) {
      this.#dropAsides(error)
      throw this.#unreadable(error)
    }
  }

  /** For who has something to say without it. */
  attempt<T>(work: () => T, otherwise: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof HttpError && error.status === 503) return otherwise()
      throw error
    }
  }

  /** Sessions that may go on, the latest first. A canary is nobody's. */
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

  /** What was counted, counted further for so long at most. */
  book<T>(trail: AuditLogReader | undefined, ms: number, work: (book: StatsDatabase) => T): T {
    const book = trail ? StatsDatabase.open(this.state) : StatsDatabase.inMemory()
    try {
      if (trail) countFor(trail, book, ms)
      return work(book)
    } finally {
      book.close()
    }
  }

  lookup(): RecordLookup {
    this.#lookup ??= new RecordLookup(this.state)
    return this.#lookup
  }

  /** Sorts and counts on, for whoever asks next. True: nothing is left to do. */
  tidy(ms: number): boolean {
    const done = this.read(trail => {
      const isSorted = this.lookup().advance(trail, this.#rootsOnTheWay(), ms / 2)
      this.#book ??= StatsDatabase.open(this.state)
      const isCounted = countFor(trail, this.#book, ms / 2)
      return isCounted && isSorted && this.#walkOn(trail, ms / 2)
    })
    // it is opened again for what comes: somebody may find it damaged meanwhile, and put another in its place
    if (done !== false) this.#closeBook()
    return done ?? true
  }

  /** Walks the chain on, where it is time. True: nothing is left to do. */
  #walkOn(trail: AuditLogReader, ms: number): boolean {
    const walk = this.#walkNow()
    if (walk.doneAt !== undefined && walk.flaw !== undefined) return true
    try {
      const end = performance.now() + ms
      while (performance.now() < end) {
        if (!walk.chain.next(trail, CHAIN_CHECK.page)) continue
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

  /** One that is over begins anew after a while, or where another database is; what was found stays until then. */
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

  /** Of sessions that may go on, as they are now. */
  rootOf(): SessionRootOf {
    const roots = this.#liveRoots()
    return (client, session) => roots.get(sessionKeyOf({ client, session }))
  }

  #liveRoots = (): ReadonlyMap<string, string> => new Map(this.live().map(one => [sessionKeyOf(one), one.root]))

  /** While all is sorted: one that is not among them may be new, and then they are looked at again; but not all the time. */
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

  /** What stands beside the trail may be what is wrong: it is opened anew for the next question, and made anew where it is damaged. */
  #dropAsides(error: unknown): void {
    if (error instanceof HttpError) return
    this.close()
    if (isCorruption(error)) removeLookupFile(this.state)
  }

  #unreadable(error: unknown): unknown {
    if (error instanceof HttpError) return error
    // what stands beside the trail throws as it is; the database's own readers say what it means
    if (error instanceof Error && isCorruption(error.cause))
      this.#damaged = { inode: this.#inode, says: error.message, looked: performance.now() }
    const says = `the audit trail cannot be read: ${messageOf(error)}`
    if (error instanceof Error && isLockBusy(error.cause)) return new DatabaseLockedError(says)
    return new HttpError(503, says, '`signalbox doctor` tells what to do')
  }

  #closeBook(): void {
    this.#book?.close()
    this.#book = undefined
  }
}

/** True: all is counted. Where nothing can be kept, all would have to be counted each time. */
function countFor(trail: AuditLogReader, book: StatsDatabase, ms: number): boolean {
  const end = performance.now() + ms
  while (performance.now() < end)
    if (rollUpRecords(trail, book, { most: BATCH_SIZE, now: Date.now() }).isDone) return true
  return !book.isKept
}
