import { lstatSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type LibsqlConstructor, openDriver, type SqlDriver } from './driver.ts'
import { writeMeta } from './meta.ts'
import { migrateSchema, schemaVersionOf } from './schema.ts'

interface ReadOnlyLocation {
  readonly file: string
  readonly libsql?: (() => LibsqlConstructor) | undefined
}

/**
 * The state on a disk that cannot be written, as it was last: nothing is made, locked or changed. Where there was never any it is empty, and
 * what cannot be told to be missing is an error. `isLost`: there was one before.
 */
export function openUnwritableState(place: ReadOnlyLocation, isLost: boolean): SqlDriver {
  if (!fileExists(place.file)) return openEmptyState(place, isLost)
  try {
    return withQueryOnly(openDriver(place.file, place.libsql))
  } catch (error) {
    // a log that was never read into the file counts, and cannot be read without the file beside it
    if (statSync(`${place.file}-wal`, { throwIfNoEntry: false })?.size) throw error
    return withQueryOnly(openDriver(immutableUrl(place.file), place.libsql))
  }
}

/** A path through something that is no folder, or that may not be looked into, throws: nobody knows what is there. */
function fileExists(file: string): boolean {
  try {
    return lstatSync(file).size > 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

function openEmptyState({ libsql }: ReadOnlyLocation, isLost: boolean): SqlDriver {
  const driver = openDriver(':memory:', libsql)
  migrateSchema(driver, () => {
    if (isLost) writeMeta(driver, 'reset', { at: Date.now() })
  })
  return driver
}

/** SQLite asks for no lock and no other file then: nobody else can write either. */
function immutableUrl(file: string): URL {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return url
}

function withQueryOnly(driver: SqlDriver): SqlDriver {
  try {
    driver.exec('PRAGMA query_only = ON')
    if (schemaVersionOf(driver) > 0) return driver
    throw new Error('the state has no tables')
  } catch (error) {
    driver.close()
    throw error
  }
}
