import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { AuditLog } from './audit-log/audit-log.ts'
import { SessionCache } from './sessions/session-cache.ts'
import { SessionTable } from './sessions/session-table.ts'
import { type LibsqlConstructor, openDriver, type SqlDriver } from './sqlite/driver.ts'
import { type JournalMode, journalModeFor } from './sqlite/journal-mode.ts'
import { inodeOf } from './sqlite/quarantine.ts'
import { openUnwritableState } from './sqlite/read-only-fallback.ts'
import { migrateSchema, schemaVersionOf } from './sqlite/schema.ts'

/** SQLite itself waits longer and longer between its tries, and one busy writer can starve another: see `patience.ts`. */
const BUSY_MS = 5
/** Who opens the database reads its log first, all of it: short for processes that come and go, SQLite's own measure for one that stays. */
const WAL_CHECKPOINT_PAGES = { comes: 100, stays: 1000 }

export interface DatabaseLocation {
  readonly file: string
  readonly libsql?: (() => LibsqlConstructor) | undefined
  /** for file systems on which a write-ahead log does not hold */
  readonly journal?: JournalMode | undefined
  /** the process stays, and opens it once */
  readonly stays?: boolean | undefined
}

/** An open database with its tables. */
export class Database {
  readonly audit: AuditLog
  readonly sessions: SessionTable
  /** a process that ends with its event remembers nothing */
  readonly memory: SessionCache | undefined
  /** there from the first step on, and as long as it is open */
  private log: number | undefined

  private constructor(
    readonly driver: SqlDriver,
    private readonly place: DatabaseLocation,
    readonly inode: number | undefined,
  ) {
    this.audit = new AuditLog(driver)
    this.sessions = new SessionTable(driver)
    this.memory = place.stays ? new SessionCache(driver) : undefined
  }

  /** `begin` fills a database that is new. */
  static open(place: DatabaseLocation, begin: (driver: SqlDriver) => void): Database {
    const { file, libsql, journal, stays } = place
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
      return new Database(driver, place, inodeOf(file))
    } catch (error) {
      driver.close()
      throw error
    }
  }

  /** For who judges by it where it cannot be written. */
  static toJudgeBy(place: DatabaseLocation, isLost: boolean): Database {
    return new Database(openUnwritableState(place, isLost), { ...place, stays: false }, inodeOf(place.file))
  }

  /**
   * Another process may have set it aside, or someone deleted it, or its log: then this one writes to a file that nobody reads. One that was
   * emptied can be read by nobody else while it is open here.
   */
  isCurrent(): boolean {
    const { file } = this.place
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.ino !== this.inode || found?.size === 0) return false
    const log = inodeOf(`${file}-wal`)
    this.log ??= log
    return log === this.log
  }

  /** What only its log holds goes back into the file, for whoever opens that next. False: the file is empty all the same. */
  rescue(): boolean {
    try {
      this.driver.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // it may be past rescue
    }
    return statSync(this.place.file, { throwIfNoEntry: false })?.size !== 0
  }

  close(): void {
    this.driver.close()
  }
}

/** For this user only from its first moment; the files that SQLite puts beside it get the same mode. */
function createDatabaseFile(file: string): void {
  const folder = dirname(file)
  if (!existsSync(file)) {
    // the state folder's own parents are made by whoever opens the store: `recursive` never ends in /proc (Node 20 and 26)
    createStateFolder(folder)
    closeSync(openSync(file, 'a', 0o600))
  }
  // where others could write, calls are refused until a person has looked: no command may end that by reading
  const isForeign = ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o022) !== 0
  const wasOpen = [!isForeign && restrictMode(folder, 0o700), restrictMode(file, 0o600)]
  if (wasOpen.includes(true)) for (const part of ['-wal', '-shm']) restrictMode(file + part, 0o600)
}

/** Someone may have made it before, for everyone to read; what is another user's stays as it is. Was it so? */
function restrictMode(path: string, mode: number): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found || (found.mode & 0o077) === 0 || found.uid !== process.getuid?.()) return false
    chmodSync(path, mode)
    return true
  } catch {
    // on a file system that has no modes, or is read-only
    return false
  }
}

/** Two processes may be the first at the same moment. */
function createStateFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
