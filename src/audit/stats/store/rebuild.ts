import { type AuditLogReader, type LibsqlConstructor, runTransaction } from '../../../store/index.ts'
import { parseCounters } from '../counters.ts'
import { HOUR_MS, hourOf } from '../time.ts'
import { CountBatch } from './count-batch.ts'
import { parseAuditRecord, type RollUpOptions, rollUpRecords } from './roll-up.ts'
import { type CountPosition, StatsDatabase } from './stats-database.ts'

export interface RebuildResult {
  /** what happened before is as it had been counted: records of it are gone */
  readonly keptBefore?: number
}

/** Records do not always lie in the order of their time: an answer that was given without the store is put there later. */
const MAX_SAMPLED = 64
const MAX_TRIES = 3

/**
 * The whole trail counted anew, beside the book, and put into it in one step: whoever looks meanwhile sees what was there. Of records
 * that retention took away nobody can count anything: those hours stay as they are.
 */
export function rebuildStats(
  trail: AuditLogReader,
  book: StatsDatabase,
  counting: RollUpOptions & { seen?: (n: number) => void },
  libsql?: () => LibsqlConstructor,
): RebuildResult {
  for (let nth = 1; ; nth++) {
    const fresh = StatsDatabase.inMemory(libsql)
    try {
      const before = book.position
      const boundary = before ? copyIncompleteHours(book, fresh, trail, before) : 0
      const skips = (seq: number, at: number) => seq <= (before?.seq ?? 0) && hourOf(at) < boundary
      for (let all = 0; ; counting.seen?.(all)) {
        const { counted, isDone } = rollUpRecords(trail, fresh, { ...counting, skips })
        all += counted
        if (isDone) break
      }
      // retention was faster than we are: what it took just now is counted in the book
      const isOvertaken = (fresh.position?.missed ?? 0) > (before?.missed ?? 0)
      if (isOvertaken && nth < MAX_TRIES) continue
      book.become(fresh)
      return boundary === 0 ? {} : { keptBefore: boundary === Infinity ? counting.now : boundary * HOUR_MS }
    } finally {
      fresh.close()
    }
  }
}

/** Brings over every hour that does not have all its records any more. Gives the first one that does. */
function copyIncompleteHours(
  book: StatsDatabase,
  fresh: StatsDatabase,
  trail: AuditLogReader,
  before: CountPosition,
): number {
  const { driver } = fresh
  const anchor = trail.anchor()
  const first = trail.after(anchor.seq, MAX_SAMPLED).flatMap(line => parseAuditRecord(line)?.at ?? [])
  if (anchor.seq === 0) return 0
  const boundary = first.length === 0 ? Infinity : hourOf(Math.max(...first)) + 1
  const until = Math.min(boundary, Number.MAX_SAFE_INTEGER / HOUR_MS)
  runTransaction(driver, () => {
    fresh.takeOver(book, 'meta', " WHERE name = 'labels'")
    const page = new CountBatch(driver)
    for (const row of book.driver.prepare('SELECT * FROM hours WHERE hour < ?').all(until)) {
      const [project, client, session] = [row.project, row.client, row.session].map(String)
      page.put(
        { hour: Number(row.hour), project: project ?? '', client: client ?? '', session: session ?? '' },
        parseCounters(row.json),
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
