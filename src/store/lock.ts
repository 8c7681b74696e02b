import { closeSync, existsSync, openSync } from 'node:fs'
import { type Driver, type Libsql, openDriver } from './driver.ts'
import { isBusy } from './faults.ts'

/** A lock that the kernel lets go of when its holder ends, however it ends. */
export interface Lock {
  release(): void
}

/**
 * Node has no lock on files, but SQLite takes one: a transaction that is never committed, on a file of its own. Undefined: another
 * process has it. Nobody else may open the file: closing it anywhere in this process would let go of it.
 */
export function takeLock(file: string, libsql?: () => Libsql): Lock | undefined {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  const driver = openDriver(file, libsql)
  if (holds(driver)) return { release: () => void driver.close() }
  driver.close()
  return undefined
}

function holds(driver: Driver): boolean {
  try {
    driver.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY')
    driver.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    driver.close()
    throw error
  }
}
