import { lstatSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Driver, type Libsql, openDriver } from './driver.ts'
import { writeMeta } from './meta.ts'
import { migrate, versionOf } from './schema.ts'

interface Place {
  readonly file: string
  readonly libsql?: (() => Libsql) | undefined
}

/**
 * The state on a disk that cannot be written, as it was last: nothing is made, locked or changed. Where there was never any it is empty, and
 * what cannot be told to be missing is an error. `isLost`: there was one before.
 */
export function openReadOnly(place: Place, isLost: boolean): Driver {
  if (!isThere(place.file)) return empty(place, isLost)
  try {
    return looking(openDriver(place.file, place.libsql))
  } catch (error) {
    // a log that was never read into the file counts, and cannot be read without the file beside it
    if (statSync(`${place.file}-wal`, { throwIfNoEntry: false })?.size) throw error
    return looking(openDriver(asIs(place.file), place.libsql))
  }
}

/** A path through something that is no folder, or that may not be looked into, throws: nobody knows what is there. */
function isThere(file: string): boolean {
  try {
    return lstatSync(file).size > 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

function empty({ libsql }: Place, isLost: boolean): Driver {
  const driver = openDriver(':memory:', libsql)
  migrate(driver, () => {
    if (isLost) writeMeta(driver, 'reset', { at: Date.now() })
  })
  return driver
}

/** SQLite asks for no lock and no other file then: nobody else can write either. */
function asIs(file: string): URL {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return url
}

function looking(driver: Driver): Driver {
  try {
    driver.exec('PRAGMA query_only = ON')
    if (versionOf(driver) > 0) return driver
    throw new Error('the state has no tables')
  } catch (error) {
    driver.close()
    throw error
  }
}
