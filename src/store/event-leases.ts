import { isObject, type JsonObject } from '../lib/json.ts'
import { sha256 } from './digest.ts'
import { sessionNameOf } from './sessions/session-table.ts'
import type { SqlDriver } from './sqlite/driver.ts'
import { readMeta, writeMeta } from './sqlite/meta.ts'
import { parseJsonOrUndefined } from './sqlite/validate-row.ts'
import type { SessionKey } from './store.ts'

/** Who answers an event, while it is being answered. After `until` it is nobody's. */
export interface EventLease extends JsonObject {
  until: number
}

export type LeaseName = `claim ${string}`

export const leaseName = (key: SessionKey, identity: string): LeaseName =>
  `claim ${sha256(sessionNameOf(key) + identity)}`

/** Inside a transaction: what `change` gives is the claim from now on. */
export function updateLease(driver: SqlDriver, name: LeaseName, change: UpdateLease): JsonObject | undefined {
  const claim = readMeta(driver, name)
  const next = change(claim)
  if (next) writeMeta(driver, name, next)
  return next ?? claim
}

export type UpdateLease = (claim: JsonObject | undefined) => EventLease | undefined

/** Those whose time is over. Who was answered has no use for the others either, but it is soon over. */
export function deleteExpiredLeases(driver: SqlDriver, now: number): void {
  for (const { name, value } of driver.prepare("SELECT name, value FROM meta WHERE name LIKE 'claim %'").all()) {
    const claim = parseJsonOrUndefined(value)
    const until = isObject(claim) && typeof claim.until === 'number' ? claim.until : 0
    if (until < now) driver.prepare('DELETE FROM meta WHERE name = ?').run(String(name))
  }
}
