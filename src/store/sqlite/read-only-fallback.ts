import { lstatSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { hasErrorCode } from '../../lib/errors.ts'
import { type LibsqlConstructor, openDriver, type SqlDriver, writeMeta } from './driver.ts'
import { migrateSchema, schemaVersionOf } from './schema.ts'

interface ReadOnlyLocation {
  readonly file: string
  readonly libsql?: (() => LibsqlConstructor) | undefined
}

/**
 * Opens the last state on a disk that cannot be written: creates, locks and changes nothing. If there never was a database, the state
 * is empty. Throws if it is unclear whether one exists. `isLost`: a database existed before.
 */
export function openUnwritableState(place: ReadOnlyLocation, isLost: boolean): SqlDriver {
  if (!fileExists(place.file)) return openEmptyState(place, isLost)
  try {
    return withQueryOnly(openDriver(place.file, place.libsql))
  } catch (error) {
    // a log that is not in the main file yet counts, and cannot be read without the shared-memory file
    if (statSync(`${place.file}-wal`, { throwIfNoEntry: false })?.size) throw error
    return withQueryOnly(openDriver(immutableUrl(place.file), place.libsql))
  }
}

/** Throws for a path that cannot be inspected: nobody knows whether the file exists. */
function fileExists(file: string): boolean {
  try {
    return lstatSync(file).size > 0
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false
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

/** With `immutable`, SQLite needs no locks and no other files. That is safe, because no other process can write either. */
function immutableUrl(file: string): URL {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return url
}

function withQueryOnly(driver: SqlDriver): SqlDriver {
  try {
    driver.exec('PRAGMA query_only = ON')
    if (schemaVersionOf(driver) > 0) return driver
    throw new Error('the database has no tables')
  } catch (error) {
    driver.close()
    throw error
  }
}
