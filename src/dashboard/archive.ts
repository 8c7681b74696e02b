import { messageOf } from '../pattern/index.ts'
import { Book, rollUp } from '../stats/index.ts'
import { type LiveSession, SessionReader, TrailReader } from '../store/index.ts'
import { Lookup, type RootOf } from './lookup.ts'
import { Refusal } from './refusal.ts'
import { keyOf } from './session-sums.ts'

const MOST_LIVE = 5000
/** as the daemon counts: who else counts waits no longer than for this */
const SLICE = 64

/** All that is kept, for who only looks. The trail is opened for each question: it may be set aside or removed at any time. */
export class Archive {
  #lookup: Lookup | undefined

  constructor(readonly state: string) {}

  /** Undefined: nobody has called yet, so there is nothing to read. */
  read<T>(work: (trail: TrailReader) => T): T | undefined {
    try {
      const trail = TrailReader.open(this.state)
      if (!trail) return undefined
      try {
        return work(trail)
      } finally {
        trail.close()
      }
    } catch (error) {
      throw unreadable(error)
    }
  }

  /** Sessions that may go on, the latest first. */
  live(now = Date.now()): readonly LiveSession[] {
    return this.sessions(reader => reader.live(now, MOST_LIVE)) ?? []
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
      throw unreadable(error)
    }
  }

  /** What was counted, counted further for so long at most. */
  book<T>(trail: TrailReader | undefined, ms: number, work: (book: Book) => T): T {
    const book = trail ? Book.open(this.state) : Book.inMemory()
    try {
      if (trail) countOn(trail, book, ms)
      return work(book)
    } finally {
      book.close()
    }
  }

  lookup(): Lookup {
    this.#lookup ??= new Lookup(this.state)
    return this.#lookup
  }

  /** Sorts and counts on, for whoever asks next. True: nothing is left to do. */
  tidy(ms: number): boolean {
    const done = this.read(trail => {
      const isSorted = this.lookup().advance(trail, this.rootOf(), ms / 2)
      return this.book(trail, ms / 2, book => book.position?.seq === trail.last()) && isSorted
    })
    return done ?? true
  }

  rootOf(): RootOf {
    const roots = new Map(this.live().map(one => [keyOf(one), one.root]))
    return (client, session) => roots.get(keyOf({ client, session }))
  }

  close(): void {
    this.#lookup?.close()
    this.#lookup = undefined
  }
}

function countOn(trail: TrailReader, book: Book, ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end) if (rollUp(trail, book, { most: SLICE, now: Date.now() }).isDone) return
}

const unreadable = (error: unknown): unknown =>
  error instanceof Refusal
    ? error
    : new Refusal(503, `the audit trail cannot be read: ${messageOf(error)}`, '`signalbox doctor` tells what to do')
