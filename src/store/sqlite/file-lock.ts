import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { lstatIfExists } from '../../lib/files.ts'
import { type LibsqlConstructor, openDriver, type SqlDriver } from './driver.ts'
import { isLockBusy } from './errors.ts'

/** A lock that the kernel releases when its process ends in any way. */
export interface FileLock {
  release(): void
}

/**
 * Node has no file locks, so this uses SQLite's: a transaction on a separate file that is never committed. Undefined: another process
 * has the lock. Open the file nowhere else in this process: closing it would release the lock.
 */
export function acquireFileLock(file: string, libsql?: () => LibsqlConstructor): FileLock | undefined {
  createLockFile(file)
  const driver = openDriver(file, libsql)
  if (lockExclusively(driver)) return { release: () => void driver.close() }
  driver.close()
  return undefined
}

/** Replaces links, because SQLite would follow a link and lock another file. */
function createLockFile(file: string): void {
  const found = lstatIfExists(file)
  if (found?.isFile() && found.nlink === 1) return
  if (found) unlinkSync(file)
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants
  closeSync(openSync(file, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600))
}

function lockExclusively(driver: SqlDriver): boolean {
  try {
    driver.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY')
    driver.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (isLockBusy(error)) return false
    driver.close()
    throw error
  }
}
