import { sha256 } from '../../lib/sha256.ts'
import { readMeta, runTransaction, type SqlDriver, writeMeta } from '../sqlite/driver.ts'

/** The last answered events of a session, newest first, each with the record that holds its reply: ` name:seq name:seq`. */
export type ReplyIndex = string

/** A client repeats an event within seconds, and no session has this many events in between. */
const MAX_REPLIES = 32
/** 80 bits, in hex. Hashed, because an identity contains text of the event, which can be long or secret. */
const EVENT_HASH_LENGTH = 20

export function findReplySeq(given: ReplyIndex, identity: string): number | undefined {
  const name = ` ${hashEvent(identity)}:`
  const at = given.indexOf(name)
  return at < 0 ? undefined : Number.parseInt(given.slice(at + name.length), 10)
}

export function addReply(given: ReplyIndex, identity: string, seq: number): ReplyIndex {
  const entry = ` ${hashEvent(identity)}:${seq}`
  const all = entry + given
  // sequence numbers only grow, so no older entry is longer than this one
  const longest = MAX_REPLIES * entry.length
  return all.length <= longest ? all : all.slice(0, all.lastIndexOf(' ', longest))
}

/** Remembers the last hash: an event is looked up and then stored under the same identity. */
const hashEvent = (identity: string): string => {
  if (lastHash.identity !== identity) lastHash = { identity, name: sha256(identity).slice(0, EVENT_HASH_LENGTH) }
  return lastHash.name
}
let lastHash = { identity: '', name: '' }

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
