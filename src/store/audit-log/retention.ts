import { deleteExpiredLeases, deleteExpiredReplies } from '../sessions/event-replies.ts'
import type { SqlDriver } from '../sqlite/driver.ts'
import { writeMeta } from '../sqlite/driver.ts'
import type { ChainLink, RetentionLimits } from '../store.ts'
import { deleteOldWorkflowRuns } from '../workflow-runs.ts'
import { type AuditLog, createStoreRecord } from './audit-log.ts'
import type { ExportPosition } from './export-positions.ts'
import { findLastExpired } from './retention-cutoff.ts'

export const DEFAULT_RETENTION: RetentionLimits = { days: 90, bytes: 1024 * 1024 * 1024 }

const DAY_MS = 86_400_000
const MAX_REMOVED = 2000

/**
 * Removes everything that has expired. Call inside a transaction; returns the new head of the chain. `unsent` returns the positions of
 * exports: records not exported yet are kept beyond their age while the size limit allows.
 */
export function applyRetention(
  driver: SqlDriver,
  audit: AuditLog,
  now: number,
  limits: RetentionLimits,
  unsent: () => readonly ExportPosition[] = () => [],
): ChainLink {
  deleteExpiredReplies(driver, now)
  driver.prepare('DELETE FROM sessions WHERE expires_at < ?').run(now)
  deleteExpiredLeases(driver, now)
  driver.prepare('DELETE FROM damaged WHERE at < ?').run(now - limits.days * DAY_MS)
  deleteOldWorkflowRuns(driver, now - limits.days * DAY_MS)
  if (!findCutoff(driver, now, limits)) return audit.head()
  // an export that is no longer run delays nothing
  const marks = unsent().filter(({ at }) => now - at < limits.days * DAY_MS)
  const cut = findCutoff(driver, now, limits, Math.min(...marks.map(mark => mark.seq)))
  return cut ? removeUpTo(driver, audit, now, cut, marks) : audit.head()
}

/** The chain stays valid: it begins after the last removed record, and a new record states that. */
function removeUpTo(
  driver: SqlDriver,
  audit: AuditLog,
  now: number,
  cut: ChainLink,
  marks: readonly ExportPosition[],
): ChainLink {
  const { seq, hash } = cut
  driver.prepare('DELETE FROM records WHERE seq <= ?').run(seq)
  writeMeta(driver, 'anchor', { seq, hash })
  const lost = marks
    .filter(mark => mark.seq < seq)
    .map(mark => `; those from ${mark.seq + 1} on were never sent to ${mark.to}`)
  const note = `records up to ${seq} were removed by the retention setting${lost.join('')}`
  return audit.append([createStoreRecord('audit.retention', now, note, cut)])
}

/** The last record to remove, if any. Keeps the newest record, and records that are not exported yet unless the size limit is exceeded. */
function findCutoff(
  driver: SqlDriver,
  now: number,
  limits: RetentionLimits,
  sent = Number.POSITIVE_INFINITY,
): ChainLink | undefined {
  const first = Number(driver.prepare('SELECT min(seq) AS first FROM records').get()?.first ?? 0)
  const last = lastSeqOf(driver)
  const byAge = Math.min(findLastExpired(driver, { now, days: limits.days, first, last, most: MAX_REMOVED }), sent)
  const bySize = usedBytesOf(driver) > limits.bytes ? first + Math.floor((last - first) / 10) : 0
  const seq = Math.min(Math.max(byAge, bySize), last - 1, first + MAX_REMOVED)
  const row = seq < first ? undefined : driver.prepare('SELECT hash FROM records WHERE seq = ?').get(seq)
  return row && { seq, hash: String(row.hash) }
}

// a separate query: min and max in one query make SQLite scan the whole table
const lastSeqOf = (driver: SqlDriver): number =>
  Number(driver.prepare('SELECT max(seq) AS last FROM records').get()?.last ?? 0)

/** Excludes free pages, which can be reused. */
function usedBytesOf(driver: SqlDriver): number {
  const pragma = (name: string) => Number(driver.prepare(`PRAGMA ${name}`).get()?.[name])
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
}
