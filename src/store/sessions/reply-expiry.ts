import { runTransaction, type SqlDriver } from '../sqlite/driver.ts'
import { readMeta, writeMeta } from '../sqlite/meta.ts'

/** A client repeats an event within minutes. */
export const REPLY_TTL_MS = 600_000

/** Deletes old replies, which can contain what records redact. Starts after `wiped`. Records dated far in the future count as old. */
export function deleteExpiredReplies(driver: SqlDriver, now: number): void {
  const from = lastDeletedReply(driver)
  const young = driver
    .prepare('SELECT seq FROM trail WHERE seq > ? AND at >= ? AND at <= ? ORDER BY seq LIMIT 1')
    .get(from, now - REPLY_TTL_MS, now + REPLY_TTL_MS)
  const last = driver.prepare('SELECT max(seq) AS last FROM records').get()?.last
  const upTo = young ? Number(young.seq) - 1 : Number(last ?? 0)
  if (upTo <= from) return
  driver.prepare('UPDATE records SET reply = NULL WHERE seq > ? AND seq <= ? AND reply IS NOT NULL').run(from, upTo)
  writeMeta(driver, 'wiped', { seq: upTo })
}

/** For opening and closing the store, and for idle times. Ignores errors: another process may be writing. */
export function tryDeleteExpiredReplies(driver: SqlDriver, now: number): void {
  try {
    const next = driver.prepare(NEXT_REPLY).get()
    if (!next || now - Number(next.at) <= REPLY_TTL_MS) return
    runTransaction(driver, () => deleteExpiredReplies(driver, now))
    // deleted replies are still in the write-ahead log
    driver.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // the next process deletes them
  }
}

const NEXT_REPLY = `SELECT at FROM trail
  WHERE seq > coalesce((SELECT value ->> 'seq' FROM meta WHERE name = 'wiped'), 0) ORDER BY seq LIMIT 1`

const lastDeletedReply = (driver: SqlDriver): number => Number(readMeta(driver, 'wiped')?.seq ?? 0)
