import { isObject, type JsonObject } from '../../lib/json.ts'
import { sha256 } from '../../lib/sha256.ts'
import {
  type LeaseName,
  parseJsonOrUndefined,
  readMeta,
  runTransaction,
  type SqlDriver,
  writeMeta,
} from '../sqlite/driver.ts'
import type { SessionKey, UpdateLease } from '../store.ts'

/** The last answered events of a session, newest first, each with the record that holds its reply: ` name:seq name:seq`. */
export type EncodedReplyIndex = string

/** A client repeats an event within seconds, and no session has this many events in between. */
const MAX_REPLIES = 32
/** 80 bits, in hex. Hashed, because an identity contains text of the event, which can be long or secret. */
const EVENT_HASH_LENGTH = 20

export function findReplySeq(given: EncodedReplyIndex, identity: string): number | undefined {
  const name = ` ${hashEvent(identity)}:`
  const at = given.indexOf(name)
  return at < 0 ? undefined : Number.parseInt(given.slice(at + name.length), 10)
}

export function addReply(given: EncodedReplyIndex, identity: string, seq: number): EncodedReplyIndex {
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

export const leaseName = (key: SessionKey, identity: string): LeaseName =>
  `claim ${sha256(sessionNameOf(key) + identity)}`

/** Runs inside a transaction. The lease that `change` returns replaces the stored lease. */
export function updateLease(driver: SqlDriver, name: LeaseName, change: UpdateLease): JsonObject | undefined {
  const claim = readMeta(driver, name)
  const next = change(claim)
  if (next) writeMeta(driver, name, next)
  return next ?? claim
}

/** Deletes expired leases. Leases of answered events are useless too, but expire within seconds. */
export function deleteExpiredLeases(driver: SqlDriver, now: number): void {
  for (const { name, value } of driver.prepare("SELECT name, value FROM meta WHERE name LIKE 'claim %'").all()) {
    const claim = parseJsonOrUndefined(value)
    const until = isObject(claim) && typeof claim.until === 'number' ? claim.until : 0
    if (until < now) driver.prepare('DELETE FROM meta WHERE name = ?').run(String(name))
  }
}

/** A hash, because client ids can be long and contain anything. The last name is cached: an event needs it more than once. */
export const sessionNameOf = ({ client, session }: SessionKey): string => {
  const text = `${client}\n${session}`
  if (lastName.text !== text) lastName = { text, name: sha256(text).slice(0, 32) }
  return lastName.name
}
let lastName = { text: '', name: '' }
