import { isObject, type JsonObject } from '../pattern/index.ts'
import type { ClaimName } from './claims.ts'
import type { Driver } from './driver.ts'
import { parse } from './sound.ts'

export type SpooledName = `spooled ${string}`

type Name = 'anchor' | 'reset' | 'wiped' | ClaimName | SpooledName

export function readMeta(driver: Driver, name: Name): JsonObject | undefined {
  const row = driver.prepare('SELECT value FROM meta WHERE name = ?').get(name)
  const value = parse(row?.value)
  return isObject(value) ? value : undefined
}

export function writeMeta(driver: Driver, name: Name, value: JsonObject): void {
  driver.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, JSON.stringify(value))
}
