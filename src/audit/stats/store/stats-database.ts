import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ChainLink,
  isCorruption,
  journalModeFor,
  type LibsqlConstructor,
  openDriver,
  runTransaction,
  type SqlDriver,
} from '../../../store/index.ts'

/** Increase this if tables or the way of counting change: all records are then counted again. */
const SCHEMA_VERSION = 3

/** `project` is empty if unknown, and in `sums` for all projects. `own`: see `sums.ts`; stored before `json`, which is read less. */
const TABLES = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE hours (
    hour INTEGER NOT NULL, project TEXT NOT NULL, client TEXT NOT NULL, session TEXT NOT NULL, own TEXT NOT NULL, json TEXT NOT NULL,
    PRIMARY KEY (hour, project, client, session)
  ) WITHOUT ROWID;
  CREATE TABLE days (
    day INTEGER NOT NULL, project TEXT NOT NULL, client TEXT NOT NULL, session TEXT NOT NULL, own TEXT NOT NULL, json TEXT NOT NULL,
    PRIMARY KEY (day, project, client, session)
  ) WITHOUT ROWID;
  CREATE TABLE sums (
    day INTEGER NOT NULL, project TEXT NOT NULL, client TEXT NOT NULL, own TEXT NOT NULL, json TEXT NOT NULL,
    PRIMARY KEY (day, project, client)
  ) WITHOUT ROWID;
  CREATE TABLE totals (client TEXT PRIMARY KEY, own TEXT NOT NULL, json TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE stops (
    id INTEGER PRIMARY KEY, hour INTEGER NOT NULL, project TEXT NOT NULL, client TEXT NOT NULL, session TEXT NOT NULL, gate TEXT NOT NULL,
    rule TEXT NOT NULL, at INTEGER NOT NULL, last INTEGER NOT NULL, what TEXT NOT NULL, tries INTEGER NOT NULL, outcome TEXT
  );
  CREATE INDEX stops_by_hour ON stops (hour, project, client, session, gate, outcome, tries);
  CREATE INDEX stops_open ON stops (client, session, project) WHERE outcome IS NULL;
  CREATE TABLE fired (
    project TEXT NOT NULL, gate TEXT NOT NULL, rule TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (project, gate, rule)
  ) WITHOUT ROWID;
`
const TABLE_NAMES = ['meta', 'hours', 'days', 'sums', 'totals', 'stops', 'fired']
const BUSY_MS = 5000
const CACHE_KB = 2048

/** How far the audit log is counted. */
export interface CountPosition extends ChainLink {
  /** records removed before they were counted */
  readonly missed: number
  /** records that cannot be parsed */
  readonly unreadable: number
}

/**
 * The statistics, in a database beside the store's: hooks that write records never wait for the counting, and a corrupt file is
 * counted again from the audit log.
 */
export class StatsDatabase {
  private constructor(
    readonly driver: SqlDriver,
    /** false: in memory only, because the file cannot be written */
    readonly isOnDisk: boolean,
  ) {}

  static open(state: string, libsql?: () => LibsqlConstructor): StatsDatabase {
    const file = join(state, 'stats.db')
    try {
      return StatsDatabase.at(file, libsql)
    } catch (error) {
      if (!isCorruption(error)) return StatsDatabase.inMemory(libsql)
      for (const part of ['-wal', '-shm', '']) rmSync(file + part, { force: true })
      return StatsDatabase.at(file, libsql)
    }
  }

  static inMemory(libsql?: () => LibsqlConstructor): StatsDatabase {
    const driver = openDriver(':memory:', libsql)
    driver.exec(TABLES)
    return new StatsDatabase(driver, false)
  }

  private static at(file: string, libsql?: () => LibsqlConstructor): StatsDatabase {
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
    const driver = openDriver(file, libsql)
    try {
      driver.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KB}`)
      if (schemaVersionOf(driver) === 0) driver.exec(`PRAGMA journal_mode = ${journalModeFor(join(file, '..'))}`)
      if (schemaVersionOf(driver) > SCHEMA_VERSION) throw new Error('the statistics were written by a newer Signalbox')
      if (schemaVersionOf(driver) !== SCHEMA_VERSION) runTransaction(driver, () => createTables(driver))
      // Find out here, not later, whether the file is writable.
      driver.exec('BEGIN IMMEDIATE; ROLLBACK')
      return new StatsDatabase(driver, true)
    } catch (error) {
      driver.close()
      throw error
    }
  }

  get position(): CountPosition | undefined {
    const text = this.driver.prepare("SELECT value FROM meta WHERE name = 'position'").get()?.value
    return typeof text === 'string' ? JSON.parse(text) : undefined
  }

  moveTo(position: CountPosition): void {
    this.driver.prepare("INSERT OR REPLACE INTO meta VALUES ('position', ?)").run(JSON.stringify(position))
  }

  /** Deletes everything, so that all records are counted again. Runs inside a transaction. */
  clear(): void {
    for (const name of TABLE_NAMES) this.driver.exec(`DELETE FROM ${name}`)
  }

  /** Replaces the content with that of another database. */
  replaceWith(other: StatsDatabase): void {
    runTransaction(this.driver, () => {
      this.clear()
      for (const name of TABLE_NAMES) this.takeOver(other, name)
    })
  }

  /** Copies rows of another database unchanged. Runs inside a transaction. */
  takeOver({ driver }: StatsDatabase, name: string, where = '', values: readonly number[] = []): void {
    const rows = driver.prepare(`SELECT * FROM ${name}${where}`).all(...values)
    const columns = Object.keys(rows[0] ?? {})
    if (columns.length === 0) return
    const put = this.driver.prepare(
      `INSERT OR REPLACE INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
    for (const row of rows) put.run(...columns.map(column => toSqlValue(row[column])))
  }

  close(): void {
    this.driver.close()
  }
}

const toSqlValue = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null

const schemaVersionOf = (driver: SqlDriver): number => Number(driver.prepare('PRAGMA user_version').get()?.user_version)

/** Runs inside a transaction. Another process may have created the tables already. */
function createTables(driver: SqlDriver): void {
  if (schemaVersionOf(driver) === SCHEMA_VERSION) return
  for (const name of TABLE_NAMES) driver.exec(`DROP TABLE IF EXISTS ${name}`)
  driver.exec(TABLES)
  driver.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
}
