import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { appendToFile, readRegularFile } from '../../lib/files.ts'
import { isObject } from '../../lib/json.ts'

/** The file that lists all state folders with an audit log. It is stored beside the program, so it survives removing a state folder. */
export const stateFolderRegistryPath = (data: string): string => join(data, 'audit-begun')

/** Whether this state folder ever had an audit log. */
export function isKnownStateFolder(file: string | undefined, state: string): boolean {
  if (file === undefined) return false
  try {
    return readRegularFile(file)
      .split('\n')
      .some(line => line.endsWith(` ${state}`))
  } catch {
    return false
  }
}

/** Also where `init` installed nothing: a plugin or a line added by hand has an audit log too. */
export function registerStateFolder(file: string | undefined, state: string): void {
  if (file === undefined || isKnownStateFolder(file, state)) return
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    appendToFile(file, `${new Date().toISOString()} ${state}\n`)
  } catch {
    // a failure here must not fail the event
  }
}

/** The note in the first record after a state folder was removed. */
export const STATE_REMOVED_NOTE = 'the state folder was removed; all sessions and the audit log start again'

/** False for a damaged database: it is quarantined, not removed. */
export const isStateRemovedRecord = (record: unknown): boolean =>
  isObject(record) &&
  record.client === 'signalbox' &&
  Array.isArray(record.notes) &&
  record.notes.includes(STATE_REMOVED_NOTE)

export const STATE_REMOVED_PROBLEM = 'the state folder was removed, with the whole audit log'
export const LOG_RESTARTED_PROBLEM = 'the state folder was removed: the records before record 1 are lost'
