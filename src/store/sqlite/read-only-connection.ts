import { statSync } from 'node:fs'
import { type LibsqlConstructor, openDriver, type SqlDriver } from './driver.ts'
import { describeError } from './errors.ts'
import { inodeOf } from './quarantine.ts'
import { schemaVersionOf } from './schema.ts'

/** For who waits, and for pages of the file, which are read once each. */
export const READ_ONLY_PRAGMAS = 'PRAGMA busy_timeout = 1000; PRAGMA query_only = ON; PRAGMA cache_size = -512'

export interface ReadOnlyConnection {
  readonly driver: SqlDriver
  readonly inode: number | undefined
}

/** The database for who only looks: nothing is made, mended, set aside or locked by it. Undefined: there is none (yet). */
export function openReadOnlyConnection(file: string, libsql?: () => LibsqlConstructor): ReadOnlyConnection | undefined {
  // a process that is just making it has put nothing into it yet
  if (!statSync(file, { throwIfNoEntry: false })?.size) return undefined
  const inode = inodeOf(file)
  try {
    const driver = openDriver(file, libsql)
    try {
      driver.exec(READ_ONLY_PRAGMAS)
      // or no tables
      if (schemaVersionOf(driver) > 0) return { driver, inode }
      driver.close()
      return undefined
    } catch (error) {
      driver.close()
      throw error
    }
  } catch (error) {
    throw describeError(error, file)
  }
}
