import { createRequire } from 'node:module'

export type SqlValue = string | number | null
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
  const Own = nodeSqlite()
  return Own ? new Own(file) : libsqlDriver(new (libsql())(String(file)))
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
