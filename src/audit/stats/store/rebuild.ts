import { type AuditLogReader, type LibsqlConstructor, runTransaction } from '../../../store/index.ts'
import { parseCounters } from '../counters.ts'
import { HOUR_MS, hourOf } from '../time.ts'
import { CountBatch } from './count-batch.ts'
import { parseAuditRecord, type RollUpOptions, rollUpRecords } from './roll-up.ts'
import { type CountPosition, StatsDatabase } from './stats-database.ts'

export interface RebuildResult {
  /** numbers from before this time were kept, because their records are gone */
  readonly countedBefore?: number
}

/** Records sampled for the time of the oldest: they are not always in order of time, because spooled records are added later. */
const MAX_SAMPLED = 64
const MAX_TRIES = 3

/**
 * Counts the whole audit log again in memory and replaces the database content in one transaction, so readers see the old numbers
 * until then. Hours whose records retention has removed keep their numbers.
 */
export function rebuildStats(
  auditLog: AuditLogReader,
  book: StatsDatabase,
  counting: RollUpOptions & { seen?: (n: number) => void },
  libsql?: () => LibsqlConstructor,
): RebuildResult {
  for (let nth = 1; ; nth++) {
    const fresh = StatsDatabase.inMemory(libsql)
    try {
      const before = book.position
      const boundary = before ? copyIncompleteHours(book, fresh, auditLog, before) : 0
      const skips = (seq: number, at: number) => seq <= (before?.seq ?? 0) && hourOf(at) < boundary
      for (let all = 0; ; counting.seen?.(all)) {
        const { counted, isDone } = rollUpRecords(auditLog, fresh, { ...counting, skips })
        all += counted
        if (isDone) break
      }
      // Retention removed records during the rebuild, but the old database has counted them: start over.
      const isOvertaken = (fresh.position?.missed ?? 0) > (before?.missed ?? 0)
      if (isOvertaken && nth < MAX_TRIES) continue
      book.replaceWith(fresh)
      return boundary === 0 ? {} : { countedBefore: boundary === Infinity ? counting.now : boundary * HOUR_MS }
    } finally {
      fresh.close()
    }
  }
}

/** Copies every hour whose records are no longer complete. Returns the first complete hour. */
function copyIncompleteHours(
  book: StatsDatabase,
  fresh: StatsDatabase,
  auditLog: AuditLogReader,
  before: CountPosition,
): number {
  const { driver } = fresh
  const anchor = auditLog.anchor()
  const first = auditLog.after(anchor.seq, MAX_SAMPLED).flatMap(line => parseAuditRecord(line)?.at ?? [])
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
