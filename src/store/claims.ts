import { isObject, type JsonObject } from '../pattern/index.ts'
import { sha256 } from './digest.ts'
import type { Driver } from './driver.ts'
import { readMeta, writeMeta } from './meta.ts'
import { nameOf } from './sessions.ts'
import { parse } from './sound.ts'
import type { SessionKey } from './store.ts'

/** Who answers an event, while it is being answered. After `until` it is nobody's. */
export interface Claim extends JsonObject {
  until: number
}

export type ClaimName = `claim ${string}`

export const claimName = (key: SessionKey, identity: string): ClaimName => `claim ${sha256(nameOf(key) + identity)}`

/** Inside a transaction: what `change` gives is the claim from now on. */
export function changeClaim(driver: Driver, name: ClaimName, change: ChangeClaim): JsonObject | undefined {
  const claim = readMeta(driver, name)
  const next = change(claim)
  if (next) writeMeta(driver, name, next)
  return next ?? claim
}

export type ChangeClaim = (claim: JsonObject | undefined) => Claim | undefined

/** Those whose time is over. Who was answered has no use for the others either, but it is soon over. */
export function sweepClaims(driver: Driver, now: number): void {
  for (const { name, value } of driver.prepare("SELECT name, value FROM meta WHERE name LIKE 'claim %'").all()) {
    const claim = parse(value)
    const until = isObject(claim) && typeof claim.until === 'number' ? claim.until : 0
    if (until < now) driver.prepare('DELETE FROM meta WHERE name = ?').run(String(name))
  }
}
