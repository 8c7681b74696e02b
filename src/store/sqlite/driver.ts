import { createRequire } from 'node:module'
import { statOrUndefined } from '../../lib/files.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'

/** Error code where something other than a file is in the place of one. */
export const NOT_A_FILE = 'ENOTSUP'

type SqlValue = string | number | null
export type SqlRow = { readonly [column: string]: unknown }

export interface SqlStatement {
  get(...values: readonly SqlValue[]): SqlRow | undefined
  all(...values: readonly SqlValue[]): readonly SqlRow[]
  run(...values: readonly SqlValue[]): unknown
}

/** An open database, with the part of SQLite that the store uses. */
export interface SqlDriver {
  exec(sql: string): unknown
  prepare(sql: string): SqlStatement
  close(): unknown
}

/** The constructor that `libsql` exports. */
export type LibsqlConstructor = new (file: string) => LibsqlDatabase
interface LibsqlDatabase extends Omit<SqlDriver, 'prepare'> {
  prepare(sql: string): LibsqlStatement
}
interface LibsqlStatement {
  raw(): LibsqlStatement
  columns(): readonly { readonly name: string }[]
  get(values: readonly SqlValue[]): readonly unknown[] | undefined
  all(values: readonly SqlValue[]): readonly (readonly unknown[])[]
  run(values: readonly SqlValue[]): unknown
}

/** Uses Node's built-in SQLite (22.13 and later), otherwise `libsql`. Loads neither before it is needed. */
export function openDriver(file: string | URL, libsql: () => LibsqlConstructor = requireLibsql): SqlDriver {
  if (typeof file === 'string') assertRegularParts(file)
  const Own = nodeSqlite()
  return Own ? new Own(file) : libsqlDriver(new (libsql())(String(file)))
}

const PARTS = ['', '-journal', '-wal', '-shm']

/** SQLite would wait for a pipe in place of one of its files forever. */
function assertRegularParts(file: string): void {
  const strange = PARTS.find(part => statOrUndefined(file + part)?.isFile() === false)
  if (strange !== undefined) throw Object.assign(new Error(`${file}${strange} is not a file`), { code: NOT_A_FILE })
}

/** Passes and reads rows as lists: building row objects in `libsql` costs a third of a statement. */
const libsqlDriver = (database: LibsqlDatabase): SqlDriver => ({
  exec: sql => database.exec(sql),
  prepare: sql => {
    const statement = database.prepare(sql)
    let names: readonly string[] | undefined
    const rowOf = (values: readonly unknown[]): SqlRow => {
      const row: Record<string, unknown> = {}
      for (let nth = 0; nth < values.length; nth++) row[(names ?? [])[nth] ?? ''] = values[nth]
      return row
    }
    const read = (): LibsqlStatement => {
      names ??= statement
        .raw()
        .columns()
        .map(column => column.name)
      return statement
    }
    return {
      get: (...values) => {
        const row = read().get(values)
        return row && rowOf(row)
      },
      all: (...values) => read().all(values).map(rowOf),
      run: (...values) => statement.run(values),
    }
  },
  close: () => database.close(),
})

/** Loads the installed package. */
export const requireLibsql = (): LibsqlConstructor => createRequire(import.meta.url)('libsql')

export const hasNodeSqlite = (): boolean => nodeSqlite() !== undefined

function nodeSqlite(): (new (file: string | URL) => SqlDriver) | undefined {
  const sqlite = withoutSqliteWarning(() => process.getBuiltinModule?.('node:sqlite'))
  return isSqlite(sqlite) ? sqlite.DatabaseSync : undefined
}

const isSqlite = (value: unknown): value is { DatabaseSync: new (file: string | URL) => SqlDriver } =>
  typeof value === 'object' && value !== null && 'DatabaseSync' in value

/** Node 22 to 24 warn that SQLite is experimental. Suppresses that line, because agents read the stderr of a hook. */
function withoutSqliteWarning<T>(load: () => T): T {
  const { emitWarning } = process
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!/SQLite is an experimental feature/.test(String(warning)))
      Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Runs `work` in a transaction: all or nothing, and no other process writes meanwhile. */
export function runTransaction<T>(driver: SqlDriver, work: () => T): T {
  driver.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    driver.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(driver)
    throw error
  }
}

function rollBack(driver: SqlDriver): void {
  try {
    driver.exec('ROLLBACK')
  } catch {
    // SQLite has already rolled back (full disk, I/O error): report the first error
  }
}

/** Makes a text that every driver returns unchanged: libsql cuts a text at NUL, and UTF-8 has no lone surrogates. */
export const toStorableText = (text: string): string => text.slice(0, 300).replace(/[\0\p{Surrogate}]/gu, '\ufffd')

export type LeaseName = `claim ${string}`

export type SpooledName = `spooled ${string}`

type MetaName = 'anchor' | 'reset' | 'wiped' | LeaseName | SpooledName

export function readMeta(driver: SqlDriver, name: MetaName): JsonObject | undefined {
  const row = driver.prepare('SELECT value FROM meta WHERE name = ?').get(name)
  const value = parseJsonOrUndefined(row?.value)
  return isObject(value) ? value : undefined
}

export function writeMeta(driver: SqlDriver, name: MetaName, value: JsonObject): void {
  driver.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, JSON.stringify(value))
}

/** Parses stored JSON, which may be damaged. Returns undefined for invalid JSON. */
export function parseJsonOrUndefined(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Below the two seconds of one event. After a longer wait the event gets the failure answer, with the reason. */
const MAX_WAIT_MS = 1400
/** An idle machine makes about this many tries in `MAX_WAIT_MS`. A process that gets less CPU time goes on until it has made them ... */
const MIN_TRIES = 200
/** ... or has run this long: after ten seconds an agent makes the call without an answer. */
const MAX_PROCESS_AGE_MS = 6500
const PAUSE_MS = 1

/** Retries while another process holds the lock. Short pauses of equal length give every process a turn. */
export class BusyRetry {
  private gaveUp = Number.NEGATIVE_INFINITY

  /** `since`: when the event arrived, for a process in which several events wait one after another. */
  constructor(private readonly since?: number) {}

  /** After a wait that failed, tries only once: an event uses the store several times, but has one deadline. */
  patiently<T>(work: () => T, passes: (error: unknown) => boolean): T {
    const waits = uptimeMs() > this.gaveUp + MAX_WAIT_MS
    const end = waits ? (this.since ?? uptimeMs()) + MAX_WAIT_MS : uptimeMs()
    // a process that stays has other events to answer
    const triesOn = waits && this.since === undefined
    for (let tries = 1; ; tries++) {
      try {
        return work()
      } catch (error) {
        if (!passes(error)) throw error
        if (uptimeMs() >= end && !(triesOn && tries < MIN_TRIES && uptimeMs() < MAX_PROCESS_AGE_MS)) {
          if (waits) this.gaveUp = end
          throw error
        }
        sleepBriefly()
      }
    }
  }
}

/** `performance` would be another module to load. */
const uptimeMs = (): number => process.uptime() * 1000

const sleepBriefly = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
}
