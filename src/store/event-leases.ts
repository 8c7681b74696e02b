import { isObject, type JsonObject } from '../lib/json.ts'
import { sha256 } from '../lib/sha256.ts'
import { sessionNameOf } from './sessions/session-table.ts'
import type { LeaseName, SqlDriver } from './sqlite/driver.ts'
import { parseJsonOrUndefined, readMeta, writeMeta } from './sqlite/driver.ts'
import type { SessionKey, UpdateLease } from './store.ts'

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
