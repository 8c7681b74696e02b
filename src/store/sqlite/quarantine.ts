import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A process that ended in the middle leaves its lock behind. */
const STALE_MS = 3000
/** longer ago, it is not what is missing now */
const RECENT_MS = 60_000
const DAMAGED_SUFFIX = '.damaged-'

const lockPathOf = (file: string): string => `${file}.lock`

export const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

/**
 * Moves a damaged database out of the way, with its log. Many processes find the damage at the same
 * moment, and the first of them begins anew: only the very file that was found damaged is moved, by one of them.
 */
export function quarantineDatabase(file: string, inode: number | undefined): boolean {
  const lock = lockPathOf(file)
  if (!takeLockFile(lock)) return false
  try {
    if (inode === undefined || inodeOf(file) !== inode) return false
    const stamp = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}-${process.pid}`
    const aside = `${file}${DAMAGED_SUFFIX}${stamp}`
    // the log first: once the file itself is gone, the next process makes both anew
    for (const part of ['-wal', '-shm', '']) if (existsSync(file + part)) renameSync(file + part, aside + part)
    return true
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Another process is setting it aside, or just has: this is not the file that was opened. */
export const isBeingQuarantined = (file: string, inode: number | undefined): boolean =>
  existsSync(lockPathOf(file)) || inodeOf(file) !== inode

/** Whoever makes the new database tells what became of the old one, though another process may have moved it. */
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
