import { inodeOf, statIfExists } from '../../lib/files.ts'
import { type LibsqlConstructor, openDriver, type SqlDriver } from './driver.ts'
import { describeError } from './errors.ts'
import { schemaVersionOf } from './schema.ts'

/** Pragmas of read-only connections: wait 1 s for writers; small page cache, because each page is read once. */
export const READ_ONLY_PRAGMAS = 'PRAGMA busy_timeout = 1000; PRAGMA query_only = ON; PRAGMA cache_size = -512'

export interface ReadOnlyConnection {
  readonly driver: SqlDriver
  readonly inode: number | undefined
}

/** Opens the database for reading only: creates, repairs, quarantines and locks nothing. Undefined if there is no database yet. */
export function openReadOnlyConnection(file: string, libsql?: () => LibsqlConstructor): ReadOnlyConnection | undefined {
  // the file is empty while another process is creating it
  if (!statIfExists(file)?.size) return undefined
  const inode = inodeOf(file)
  try {
    const driver = openDriver(file, libsql)
    try {
      driver.exec(READ_ONLY_PRAGMAS)
      // without tables it is still being created
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
