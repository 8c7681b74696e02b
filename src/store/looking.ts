import { statSync } from 'node:fs'
import { type Driver, type Libsql, openDriver } from './driver.ts'
import { told } from './faults.ts'
import { versionOf } from './schema.ts'
import { inodeOf } from './set-aside.ts'

/** For who waits, and for pages of the file, which are read once each. */
export const PRAGMAS = 'PRAGMA busy_timeout = 1000; PRAGMA query_only = ON; PRAGMA cache_size = -512'

export interface Looked {
  readonly driver: Driver
  readonly inode: number | undefined
}

/** The database for who only looks: nothing is made, mended, set aside or locked by it. Undefined: there is none (yet). */
export function openToLook(file: string, libsql?: () => Libsql): Looked | undefined {
  // a process that is just making it has put nothing into it yet
  if (!statSync(file, { throwIfNoEntry: false })?.size) return undefined
  const inode = inodeOf(file)
  try {
    const driver = openDriver(file, libsql)
    try {
      driver.exec(PRAGMAS)
      // or no tables
      if (versionOf(driver) > 0) return { driver, inode }
      driver.close()
      return undefined
    } catch (error) {
      driver.close()
      throw error
    }
  } catch (error) {
    throw told(error, file)
  }
}
