import { isObject, type JsonObject } from '../../lib/json.ts'
import type { LeaseName } from '../event-leases.ts'
import type { SqlDriver } from './driver.ts'
import { parseJsonOrUndefined } from './validate-row.ts'

export type SpooledName = `spooled ${string}`

type MetaName = 'anchor' | 'reset' | 'wiped' | LeaseName | SpooledName

export function readMeta(driver: SqlDriver, name: MetaName): JsonObject | undefined {
  const row = driver.prepare('SELECT value FROM meta WHERE name = ?').get(name)
  const value = parseJsonOrUndefined(row?.value)
  return isObject(value) ? value : undefined
}

export function writeMeta(driver: SqlDriver, name: MetaName, value: JsonObject): void {
  driver.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, JSON.stringify(value))
}
