import { isObject, type JsonObject } from '../lib/json.ts'
import { sha256 } from './digest.ts'
import { sessionNameOf } from './sessions/session-table.ts'
import type { SqlDriver } from './sqlite/driver.ts'
import { readMeta, writeMeta } from './sqlite/meta.ts'
import { parseJsonOrUndefined } from './sqlite/validate-row.ts'
import type { SessionKey } from './store.ts'

/** The right of one process to answer an event. It expires at `until`. */
export interface EventLease extends JsonObject {
  until: number
}

export type LeaseName = `claim ${string}`

export const leaseName = (key: SessionKey, identity: string): LeaseName =>
  `claim ${sha256(sessionNameOf(key) + identity)}`

/** Runs inside a transaction. The lease that `change` returns replaces the stored lease. */
export function updateLease(driver: SqlDriver, name: LeaseName, change: UpdateLease): JsonObject | undefined {
  const claim = readMeta(driver, name)
  const next = change(claim)
  if (next) writeMeta(driver, name, next)
  return next ?? claim
}

export type UpdateLease = (claim: JsonObject | undefined) => EventLease | undefined

/** Deletes expired leases. Leases of answered events are useless too, but expire within seconds. */
export function deleteExpiredLeases(driver: SqlDriver, now: number): void {
  for (const { name, value } of driver.prepare("SELECT name, value FROM meta WHERE name LIKE 'claim %'").all()) {
    const claim = parseJsonOrUndefined(value)
    const until = isObject(claim) && typeof claim.until === 'number' ? claim.until : 0
    if (until < now) driver.prepare('DELETE FROM meta WHERE name = ?').run(String(name))
  }
}
