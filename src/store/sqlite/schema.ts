import { runTransaction, type SqlDriver } from './driver.ts'

/**
 * A column of the view, extracted from the record's JSON when it is queried: writing stays fast, and a column cannot differ from its
 * record. A damaged record yields NULL instead of an error.
 */
const jsonColumn = (field: string): string => `CASE WHEN json_valid(json) THEN json ->> '${field}' END AS ${field}`

/** One migration for each version; a released migration never changes. `user_version` counts the applied migrations. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE sessions (
    key TEXT PRIMARY KEY, client TEXT NOT NULL, id TEXT NOT NULL, root TEXT NOT NULL, json TEXT NOT NULL,
    answers TEXT NOT NULL, seen_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, restarted INTEGER NOT NULL
  );
  CREATE TABLE projects (root TEXT PRIMARY KEY, json TEXT NOT NULL, restarted INTEGER NOT NULL);
  CREATE TABLE damaged (at INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, json TEXT);
  CREATE TABLE records (seq INTEGER PRIMARY KEY, json TEXT NOT NULL, hash TEXT NOT NULL, reply TEXT);
  CREATE VIEW trail AS SELECT seq, json, hash,
    ${['at', 'client', 'session', 'event', 'decision', 'gate', 'rule', 'tool', 'ms'].map(jsonColumn).join(', ')} FROM records;
  `,
  `
  CREATE TABLE workflow_runs (
    id TEXT PRIMARY KEY, root TEXT NOT NULL, at INTEGER NOT NULL, changed INTEGER NOT NULL, json TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE workflow_steps (
    run TEXT NOT NULL, nth INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (run, nth)
  ) WITHOUT ROWID;
  `,
]

/** SQLite's result code for corruption, and a version that Signalbox will never reach. */
const CORRUPT = 11
const MAX_VERSION = 1000

export const schemaVersionOf = (driver: SqlDriver): number =>
  Number(driver.prepare('PRAGMA user_version').get()?.user_version)

/** Applies missing migrations. `begin` fills a new database in the same transaction. */
export function migrateSchema(driver: SqlDriver, begin: () => void): void {
  const version = schemaVersionOf(driver)
  if (version < 0 || version > MAX_VERSION) throw Object.assign(new Error('no version'), { errcode: CORRUPT })
  if (version > MIGRATIONS.length) throw new Error(`the database was written by a newer Signalbox (schema ${version})`)
  if (version === MIGRATIONS.length) return
  runTransaction(driver, () => {
    // another process may have migrated meanwhile
    const now = schemaVersionOf(driver)
    for (const step of MIGRATIONS.slice(now)) driver.exec(step)
    driver.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
    if (now === 0) begin()
  })
}
