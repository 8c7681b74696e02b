import { closeSync, constants, lstatSync, openSync, unlinkSync } from 'node:fs'
import { type LibsqlConstructor, openDriver, type SqlDriver } from './driver.ts'
import { isLockBusy } from './errors.ts'

/** A lock that the kernel lets go of when its holder ends, however it ends. */
export interface FileLock {
  release(): void
}

/**
 * Node has no lock on files, but SQLite takes one: a transaction that is never committed, on a file of its own. Undefined: another
 * process has it. Nobody else may open the file: closing it anywhere in this process would let go of it.
 */
export function acquireFileLock(file: string, libsql?: () => LibsqlConstructor): FileLock | undefined {
  createLockFile(file)
  const driver = openDriver(file, libsql)
  if (lockExclusively(driver)) return { release: () => void driver.close() }
  driver.close()
  return undefined
}

/** SQLite would follow a link, and lock what is somebody else's. */
function createLockFile(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false })
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
