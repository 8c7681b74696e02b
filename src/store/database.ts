import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hasErrorCode } from '../lib/errors.ts'
import { inodeOf, statIfExists } from '../lib/files.ts'
import { AuditLog } from './audit-log/audit-log.ts'
import { SessionCache } from './sessions/session-cache.ts'
import { SessionTable } from './sessions/session-table.ts'
import { type LibsqlConstructor, openDriver, type SqlDriver } from './sqlite/driver.ts'
import { type JournalMode, journalModeFor } from './sqlite/journal-mode.ts'
import { openUnwritableState } from './sqlite/read-only-fallback.ts'
import { migrateSchema, schemaVersionOf } from './sqlite/schema.ts'

/** Short, because SQLite waits longer after each try and a busy writer can starve another: `BusyRetry` in `sqlite/driver.ts` does the waiting. */
const BUSY_MS = 5
/** Opening a database reads its whole write-ahead log. So the log is kept short for short-lived processes; 1000 is SQLite's default. */
const WAL_CHECKPOINT_PAGES = { comes: 100, stays: 1000 }

interface DatabaseLocation {
  readonly file: string
  readonly libsql?: (() => LibsqlConstructor) | undefined
  /** for file systems on which a write-ahead log is unsafe */
  readonly journal?: JournalMode | undefined
  /** the process stays and opens the database once */
  readonly stays?: boolean | undefined
}

/** An open database with its tables. */
export class Database {
  readonly audit: AuditLog
  readonly sessions: SessionTable
  /** absent in a process that ends with its event */
  readonly memory: SessionCache | undefined

  private constructor(
    readonly driver: SqlDriver,
    private readonly location: DatabaseLocation,
    readonly inode: number | undefined,
  ) {
    this.audit = new AuditLog(driver)
    this.sessions = new SessionTable(driver)
    this.memory = location.stays ? new SessionCache(driver) : undefined
  }

  /** `begin` fills a new database. */
  static open(location: DatabaseLocation, begin: (driver: SqlDriver) => void): Database {
    const { file, libsql, journal, stays } = location
    createDatabaseFile(file)
    const driver = openDriver(file, libsql)
    try {
      const pages = WAL_CHECKPOINT_PAGES[stays ? 'stays' : 'comes']
      driver.exec(
        `PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = FAST; PRAGMA wal_autocheckpoint = ${pages}`,
      )
      const mode = journal ?? journalModeFor(dirname(file))
      if (mode === 'delete' || schemaVersionOf(driver) === 0) driver.exec(`PRAGMA journal_mode = ${mode}`)
      migrateSchema(driver, () => begin(driver))
      return new Database(driver, location, inodeOf(file))
    } catch (error) {
      driver.close()
      throw error
    }
  }

  /** For evaluating events while the database cannot be written. */
  static toJudgeBy(location: DatabaseLocation, isLost: boolean): Database {
    return new Database(openUnwritableState(location, isLost), { ...location, stays: false }, inodeOf(location.file))
  }

  /** Writes the content of the log back into the file, for the next process that opens it. Returns false if the file is still empty. */
  rescue(): boolean {
    try {
      this.driver.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // it may be damaged beyond rescue
    }
    return statIfExists(this.location.file)?.size !== 0
  }

  close(): void {
    this.driver.close()
  }
}

/** Creates the file readable by this user only. SQLite gives the files beside it the same mode. */
function createDatabaseFile(file: string): void {
  const folder = dirname(file)
  if (!existsSync(file)) {
    // the caller creates the parents of the state folder: a `recursive` mkdir never returns in /proc (Node 20 and 26)
    createStateFolder(folder)
    closeSync(openSync(file, 'a', 0o600))
  }
  // if others can write to the folder, calls are denied until a person has checked it: opening the store must not repair the mode
  const isForeign = ((statIfExists(folder)?.mode ?? 0) & 0o022) !== 0
  const wasOpen = [!isForeign && restrictMode(folder, 0o700), restrictMode(file, 0o600)]
  if (wasOpen.includes(true)) for (const part of ['-wal', '-shm']) restrictMode(file + part, 0o600)
}

/** Restricts a file that others can access. Leaves files of other users alone. Returns whether it changed the mode. */
function restrictMode(path: string, mode: number): boolean {
  try {
    const found = statIfExists(path)
    if (!found || (found.mode & 0o077) === 0 || found.uid !== process.getuid?.()) return false
    chmodSync(path, mode)
    return true
  } catch {
    // the file system has no modes, or is read-only
    return false
  }
}

/** Two processes may create the folder at the same moment. */
function createStateFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** After this time a lock file is ignored: its process ended before removing it. */
const STALE_MS = 3000
/** a file quarantined longer ago is not the database that is missing now */
const RECENT_MS = 60_000
const DAMAGED_SUFFIX = '.damaged-'

const lockPathOf = (file: string): string => `${file}.lock`

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
  const made = statIfExists(lock)?.mtimeMs
  if (made !== undefined && Date.now() > made + STALE_MS) rmSync(lock, { force: true })
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  }
}
