import { type Libsql, type TrailReader, transaction } from '../store/index.ts'
import { Book, type Position } from './book.ts'
import { restored } from './counts.ts'
import { Page } from './page.ts'
import { type Counting, readable, rollUp } from './roll-up.ts'
import { HOUR_MS, hourOf } from './time.ts'

export interface Rebuilt {
  /** what happened before is as it had been counted: records of it are gone */
  readonly keptBefore?: number
}

/** Records do not always lie in the order of their time: an answer that was given without the store is put there later. */
const LOOKED_AT = 64
const TRIES = 3

/**
 * The whole trail counted anew, beside the book, and put into it in one step: whoever looks meanwhile sees what was there. Of records
 * that retention took away nobody can count anything: those hours stay as they are.
 */
export function rebuild(
  trail: TrailReader,
  book: Book,
  counting: Counting & { seen?: (n: number) => void },
  libsql?: () => Libsql,
): Rebuilt {
  for (let nth = 1; ; nth++) {
    const fresh = Book.inMemory(libsql)
    try {
      const before = book.position
      const boundary = before ? keep(book, fresh, trail, before) : 0
      const skips = (seq: number, at: number) => seq <= (before?.seq ?? 0) && hourOf(at) < boundary
      for (let all = 0; ; counting.seen?.(all)) {
        const { counted, isDone } = rollUp(trail, fresh, { ...counting, skips })
        all += counted
        if (isDone) break
      }
      // retention was faster than we are: what it took just now is counted in the book
      const isOvertaken = (fresh.position?.missed ?? 0) > (before?.missed ?? 0)
      if (isOvertaken && nth < TRIES) continue
      book.become(fresh)
      return boundary === 0 ? {} : { keptBefore: boundary === Infinity ? counting.now : boundary * HOUR_MS }
    } finally {
      fresh.close()
    }
  }
}

/** Brings over every hour that does not have all its records any more. Gives the first one that does. */
function keep(book: Book, fresh: Book, trail: TrailReader, before: Position): number {
  const { driver } = fresh
  const anchor = trail.anchor()
  const first = trail.after(anchor.seq, LOOKED_AT).flatMap(line => readable(line)?.at ?? [])
  if (anchor.seq === 0) return 0
  const boundary = first.length === 0 ? Infinity : hourOf(Math.max(...first)) + 1
  const until = Math.min(boundary, Number.MAX_SAFE_INTEGER / HOUR_MS)
  transaction(driver, () => {
    fresh.takeOver(book, 'meta', " WHERE name = 'labels'")
    const page = new Page(driver)
    for (const row of book.driver.prepare('SELECT * FROM hours WHERE hour < ?').all(until)) {
      const [project, client, session] = [row.project, row.client, row.session].map(String)
      page.put(
        { hour: Number(row.hour), project: project ?? '', client: client ?? '', session: session ?? '' },
        restored(row.json),
      )
    }
    for (const { client, gate, outcome } of book.driver.prepare('SELECT * FROM stops WHERE hour < ?').all(until))
      page.putStop(String(client), String(gate), typeof outcome === 'string' ? outcome : undefined)
    page.write()
    fresh.takeOver(book, 'stops', ' WHERE hour < ?', [until])
    fresh.takeOver(book, 'fired', ' WHERE first < ?', [until * HOUR_MS])
    driver.prepare('UPDATE fired SET last = min(last, ?)').run(Math.floor(until * HOUR_MS) - 1)
    fresh.moveTo({ ...anchor, missed: before.missed, unreadable: 0 })
  })
  return boundary
}
