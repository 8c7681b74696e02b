import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '../../lib/json.ts'

/** Names the state folders that hold a trail. It lies beside the program: who removes a state folder leaves it behind. */
export const stateFolderRegistryPath = (data: string): string => join(data, 'audit-begun')

/** Has there been a trail in this state folder? */
export function isKnownStateFolder(file: string | undefined, state: string): boolean {
  if (file === undefined) return false
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .some(line => line.endsWith(` ${state}`))
  } catch {
    return false
  }
}

/** Where the program was installed by `init`; elsewhere nobody would take it away again. */
export function registerStateFolder(file: string | undefined, state: string): void {
  if (file === undefined || isKnownStateFolder(file, state) || !existsSync(dirname(file))) return
  try {
    appendFileSync(file, `${new Date().toISOString()} ${state}\n`, { mode: 0o600 })
  } catch {
    // nobody is refused an answer for want of this line
  }
}

/** What the first record of a trail says that begins after the folder was removed. */
export const STATE_REMOVED_NOTE = 'the state folder was removed; all sessions and the audit trail begin again'

/** One that was only damaged is kept, and is no removed one. */
export const isStateRemovedRecord = (record: unknown): boolean =>
  isObject(record) &&
  record.client === 'signalbox' &&
  Array.isArray(record.notes) &&
  record.notes.includes(STATE_REMOVED_NOTE)

export const STATE_REMOVED_PROBLEM = 'the state folder was removed, with all that was on record'
export const LOG_RESTARTED_PROBLEM = 'the state folder was removed: what was on record before record 1 is gone'
