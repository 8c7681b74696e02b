import { lastOld } from './age.ts'
import { type Audit, ownRecord } from './audit.ts'
import { sweepClaims } from './claims.ts'
import type { Driver } from './driver.ts'
import type { Link } from './head-lines.ts'
import type { Mark } from './marks.ts'
import { writeMeta } from './meta.ts'
import { wipeReplies } from './replies.ts'
import { sweepRuns } from './workflow-runs.ts'

export interface Limits {
  /** how long records are kept */
  readonly days: number
  /** how large the database may become */
  readonly bytes: number
}

export const LIMITS: Limits = { days: 90, bytes: 1024 * 1024 * 1024 }

const DAY_MS = 86_400_000
/** Some event has to do the sweeping: one in so many, and not more than so many records at once. */
const EVERY = 64
const MOST = 2000

export const isTimeToSweep = (before: Link, after: Link): boolean =>
  Math.floor(before.seq / EVERY) !== Math.floor(after.seq / EVERY)

/**
 * Takes away what has had its time. Inside a transaction; gives the new end of the chain. `unsent` tells how far the trail was sent
 * elsewhere: what waits for that is kept beyond its age, as long as there is room.
 */
export function sweep(
  driver: Driver,
  audit: Audit,
  now: number,
  limits: Limits,
  unsent: () => readonly Mark[] = () => [],
): Link {
  wipeReplies(driver, now)
  driver.prepare('DELETE FROM sessions WHERE expires_at < ?').run(now)
  sweepClaims(driver, now)
  driver.prepare('DELETE FROM damaged WHERE at < ?').run(now - limits.days * DAY_MS)
  sweepRuns(driver, now - limits.days * DAY_MS)
  if (!cutOf(driver, now, limits)) return audit.head()
  // an export that nobody runs any more holds nothing up
  const marks = unsent().filter(({ at }) => now - at < limits.days * DAY_MS)
  const cut = cutOf(driver, now, limits, Math.min(...marks.map(one => one.seq)))
  return cut ? removeUpTo(driver, audit, now, cut, marks) : audit.head()
}

/** The chain stays whole: it begins beside the last record removed, and a record of its own says so. */
function removeUpTo(driver: Driver, audit: Audit, now: number, cut: Link, marks: readonly Mark[]): Link {
  const { seq, hash } = cut
  driver.prepare('DELETE FROM records WHERE seq <= ?').run(seq)
  writeMeta(driver, 'anchor', { seq, hash })
  const lost = marks
    .filter(one => one.seq < seq)
    .map(one => `; those from ${one.seq + 1} on were never sent to ${one.to}`)
  const note = `records up to ${seq} were removed: older or more than kept${lost.join('')}`
  return audit.append([ownRecord('audit.retention', now, note, cut)])
}

/** The last record to go, if any; the newest always stays. By age nothing goes that was not `sent`. */
function cutOf(driver: Driver, now: number, limits: Limits, sent = Number.POSITIVE_INFINITY): Link | undefined {
  const first = Number(driver.prepare('SELECT min(seq) AS first FROM records').get()?.first ?? 0)
  const last = lastOf(driver)
  const byAge = Math.min(lastOld(driver, { now, days: limits.days, first, last, most: MOST }), sent)
  const bySize = bytesOf(driver) > limits.bytes ? first + Math.floor((last - first) / 10) : 0
  const seq = Math.min(Math.max(byAge, bySize), last - 1, first + MOST)
  const row = seq < first ? undefined : driver.prepare('SELECT hash FROM records WHERE seq = ?').get(seq)
  return row && { seq, hash: String(row.hash) }
}

// asked for together, SQLite would look through all of them
const lastOf = (driver: Driver): number =>
  Number(driver.prepare('SELECT max(seq) AS last FROM records').get()?.last ?? 0)

/** Without the pages that are free to be written again. */
function bytesOf(driver: Driver): number {
  const pragma = (name: string) => Number(driver.prepare(`PRAGMA ${name}`).get()?.[name])
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
}
