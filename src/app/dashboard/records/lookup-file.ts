import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isCorruption, journalModeFor, openDriver, runTransaction, type SqlDriver } from '../../../store/index.ts'

/** Raise this number to rebuild the lookup. */
const SCHEMA_VERSION = 5

const TABLES = `
  CREATE TABLE blocks (block INTEGER PRIMARY KEY, hash TEXT NOT NULL);
  CREATE TABLE keys (key TEXT NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (key, block)) WITHOUT ROWID;
  CREATE TABLE sessions (
    client TEXT NOT NULL, id TEXT NOT NULL, root TEXT, first INTEGER NOT NULL, last INTEGER NOT NULL, first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL, events INTEGER NOT NULL, calls INTEGER NOT NULL, denied INTEGER NOT NULL, asked INTEGER NOT NULL,
    PRIMARY KEY (client, id)
  ) WITHOUT ROWID;
  CREATE TABLE agents (
    client TEXT NOT NULL, session TEXT NOT NULL, id TEXT NOT NULL, caller TEXT NOT NULL, first INTEGER NOT NULL,
    PRIMARY KEY (client, session, id)
  ) WITHOUT ROWID;
  CREATE INDEX sessions_by_last ON sessions (last);
`
const TABLE_NAMES = ['blocks', 'keys', 'sessions', 'agents']
const PRAGMAS = 'PRAGMA busy_timeout = 2000; PRAGMA synchronous = OFF; PRAGMA cache_size = -4096'

/**
 * The lookup has its own file beside the audit log, because the hook must not write indexes for readers. A damaged file is rebuilt; if it
 * cannot be written, the lookup is kept in memory.
 */
export function openLookupFile(state: string): SqlDriver {
  try {
    return openLookupAt(lookupFileIn(state))
  } catch (error) {
    if (!isCorruption(error)) return openInMemory()
    removeLookupFile(state)
    return openLookupAt(lookupFileIn(state))
  }
}

const lookupFileIn = (state: string): string => join(state, 'lookup.db')

export function removeLookupFile(state: string): void {
  for (const part of ['-wal', '-shm', '-journal', '']) rmSync(lookupFileIn(state) + part, { force: true })
}

function openInMemory(): SqlDriver {
  const driver = openDriver(':memory:')
  driver.exec(TABLES)
  return driver
}

function openLookupAt(file: string): SqlDriver {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  const driver = openDriver(file)
  try {
    driver.exec(PRAGMAS)
    if (schemaVersionOf(driver) === 0) driver.exec(`PRAGMA journal_mode = ${journalModeFor(dirname(file))}`)
    if (schemaVersionOf(driver) !== SCHEMA_VERSION) runTransaction(driver, () => createTables(driver))
    // fails here, and not later, if the file cannot be written
    driver.exec('BEGIN IMMEDIATE; ROLLBACK')
    return driver
  } catch (error) {
    driver.close()
    throw error
  }
}

/** Runs inside a transaction, because another process may have created the tables. */
function createTables(driver: SqlDriver): void {
  if (schemaVersionOf(driver) === SCHEMA_VERSION) return
  for (const name of TABLE_NAMES) driver.exec(`DROP TABLE IF EXISTS ${name}`)
  driver.exec(TABLES)
  driver.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
}

export const clearLookup = (driver: SqlDriver): void => {
  for (const name of TABLE_NAMES) driver.exec(`DELETE FROM ${name}`)
}

const schemaVersionOf = (driver: SqlDriver): number => Number(driver.prepare('PRAGMA user_version').get()?.user_version)
