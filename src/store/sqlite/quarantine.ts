import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** After this time a lock file is ignored: its process ended before removing it. */
const STALE_MS = 3000
/** a file quarantined longer ago is not the database that is missing now */
const RECENT_MS = 60_000
const DAMAGED_SUFFIX = '.damaged-'

const lockPathOf = (file: string): string => `${file}.lock`

export const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

/**
 * Moves a damaged database away, with its log. Many processes can find the damage at the same moment. Only one of them moves the file,
 * and only if it is still the file that was found damaged.
 */
export function quarantineDatabase(file: string, inode: number | undefined): boolean {
  const lock = lockPathOf(file)
  if (!takeLockFile(lock)) return false
  try {
    if (inode === undefined || inodeOf(file) !== inode) return false
    const stamp = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}-${process.pid}`
    const aside = `${file}${DAMAGED_SUFFIX}${stamp}`
    // the log first: once the main file is gone, the next process creates both again
    for (const part of ['-wal', '-shm', '']) if (existsSync(file + part)) renameSync(file + part, aside + part)
    return true
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Whether another process is quarantining the file, or has just replaced the file that was opened. */
export const isBeingQuarantined = (file: string, inode: number | undefined): boolean =>
  existsSync(lockPathOf(file)) || inodeOf(file) !== inode

/** Finds the file for the notice in the new database, even if another process has quarantined it. */
export function findLastQuarantined(file: string): string | undefined {
  const asides = readdirSync(dirname(file)).filter(name => name.startsWith(basename(file) + DAMAGED_SUFFIX))
  const last = asides
    .filter(name => !name.endsWith('-wal') && !name.endsWith('-shm'))
    .sort()
    .at(-1)
  const path = last && join(dirname(file), last)
  return path && Date.now() < statSync(path).ctimeMs + RECENT_MS ? path : undefined
}

function takeLockFile(lock: string): boolean {
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
  if (made !== undefined && Date.now() > made + STALE_MS) rmSync(lock, { force: true })
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
