import { isObject } from '../../../lib/json.ts'
import {
  type AuditLogReader,
  type AuditRecord,
  type ChainLink,
  type RawRecord,
  runTransaction,
} from '../../../store/index.ts'
import { DAY_HOURS, dayOf, HOUR_MS, hourOf } from '../time.ts'
import { CountBatch } from './count-batch.ts'
import type { CountPosition, StatsDatabase } from './stats-database.ts'

/** How long hourly numbers are kept. The records themselves may be removed earlier. */
export const STATS_RETENTION_DAYS = 400

export interface RollUpResult {
  /** number of records read */
  readonly counted: number
  /** no records are left to count */
  readonly isDone: boolean
}

export interface RollUpOptions {
  /** records per step */
  readonly most: number
  readonly now: number
  /** records that are already counted */
  readonly skips?: (seq: number, at: number) => boolean
}

/** Counts the next records. Counters and position change in one transaction, so several processes can count. */
export const rollUpRecords = (auditLog: AuditLogReader, book: StatsDatabase, counting: RollUpOptions): RollUpResult =>
  runTransaction(book.driver, () => rollUpStep(auditLog, book, counting))

/** Calls `look` in a transaction in which all records are counted, even if other processes count or rebuild. */
export function withAllCounted<T>(
  auditLog: AuditLogReader,
  book: StatsDatabase,
  { seen, ...counting }: RollUpOptions & { readonly seen?: (counted: number) => void },
  look: () => T,
): T {
  for (let all = 0; ; ) {
    const found = runTransaction(book.driver, () => {
      const { counted, isDone } = rollUpStep(auditLog, book, counting)
      all += counted
      return isDone ? { look: look() } : undefined
    })
    if (found) return found.look
    seen?.(all)
  }
}

function rollUpStep(auditLog: AuditLogReader, book: StatsDatabase, { most, now, skips }: RollUpOptions): RollUpResult {
  const from = findStartPosition(auditLog, book)
  const lines = auditLog.after(from.seq, most)
  const last = lines.at(-1)
  if (!last) return { counted: 0, isDone: true }
  const page = new CountBatch(book.driver)
  let { unreadable } = from
  for (const line of lines) {
    const record = parseAuditRecord(line)
    if (!record) unreadable++
    else if (!skips?.(line.seq, record.at)) page.add(record)
  }
  page.write()
  deleteBefore(book, dayOf(hourOf(now)) - STATS_RETENTION_DAYS)
  book.moveTo({ seq: last.seq, hash: last.hash, missed: from.missed, unreadable })
  return { counted: lines.length, isDone: lines.length < most }
}

/**
 * The position to continue from. Continues if the last counted record is unchanged, or if it was removed by retention or with a
 * quarantined database: its counts stay. Otherwise this is another log or its end was cut off, and all is counted again.
 */
function findStartPosition(auditLog: AuditLogReader, book: StatsDatabase): CountPosition {
  const anchor = auditLog.anchor()
  const before = book.position
  if (!before) return { ...anchor, missed: anchor.seq, unreadable: 0 }
  const found = auditLog.hashAt(before.seq)
  if (found === before.hash) return before
  if (found === undefined && isAnchorAfter(anchor, before))
    return { ...before, ...anchor, missed: before.missed + anchor.seq - before.seq }
  book.clear()
  return { ...anchor, missed: anchor.seq, unreadable: 0 }
}

const isAnchorAfter = (anchor: ChainLink, { seq, hash }: ChainLink): boolean =>
  anchor.seq > seq || (anchor.seq === seq && anchor.hash === hash)

/** Undefined if it is not a record: other programs can write to the database. */
export function parseAuditRecord({ json }: RawRecord): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isAuditRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isAuditRecord = (value: unknown): value is AuditRecord =>
  isObject(value) &&
  Number.isFinite(value.at) &&
  [value.client, value.session, value.event, value.decision].every(candidate => typeof candidate === 'string') &&
  [value.acts, value.matches, value.moves, value.errors].every(Array.isArray)

/** Deletes whole days, so that hours and days stay consistent. */
function deleteBefore({ driver }: StatsDatabase, day: number): void {
  const oldest = Number(driver.prepare('SELECT min(day) AS day FROM sums').get()?.day ?? day)
  if (oldest >= day) return
  for (const table of ['days', 'sums']) driver.prepare(`DELETE FROM ${table} WHERE day < ?`).run(day)
  for (const table of ['hours', 'stops']) driver.prepare(`DELETE FROM ${table} WHERE hour < ?`).run(day * DAY_HOURS)
  driver.prepare('DELETE FROM fired WHERE last < ?').run(day * DAY_HOURS * HOUR_MS)
}
