import { statSync } from 'node:fs'
import { join } from 'node:path'
import { anchorOf } from './audit.ts'
import { type Driver, type Libsql, openDriver, type Statement } from './driver.ts'
import { told } from './faults.ts'
import type { Link } from './head.ts'
import { versionOf } from './schema.ts'

/** A record as it is stored. */
export interface Line extends Link {
  readonly json: string
}

const BUSY_MS = 500
/** of pages, in KB: it reads each once */
const CACHE_KB = 512

/** The trail for who only counts: unlike the store it makes nothing, mends nothing and sets nothing aside. */
export class TrailReader {
  private readonly pages: Statement
  private readonly one: Statement

  private constructor(
    private readonly driver: Driver,
    private readonly file: string,
  ) {
    this.pages = driver.prepare('SELECT seq, hash, json FROM records WHERE seq > ? ORDER BY seq LIMIT ?')
    this.one = driver.prepare('SELECT hash FROM records WHERE seq = ?')
  }

  /** Undefined: nothing is on record. */
  static open(state: string, libsql?: () => Libsql): TrailReader | undefined {
    const file = join(state, 'signalbox.db')
    // an empty file is one that was just begun
    if (!statSync(file, { throwIfNoEntry: false })?.size) return undefined
    try {
      const driver = openDriver(file, libsql)
      driver.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA query_only = ON; PRAGMA cache_size = -${CACHE_KB}`)
      if (versionOf(driver) > 0) return new TrailReader(driver, file)
      driver.close()
      return undefined
    } catch (error) {
      throw told(error, file)
    }
  }

  /** So many after a number, in order. */
  page(after: number, most: number): readonly Line[] {
    return this.asked(() => this.pages.all(after, most)).map(({ seq, hash, json }) => ({
      seq: Number(seq),
      hash: String(hash),
      json: String(json),
    }))
  }

  hashAt(seq: number): string | undefined {
    const hash = this.asked(() => this.one.get(seq))?.hash
    return hash === undefined ? undefined : String(hash)
  }

  /** Beside which the chain begins. */
  get anchor(): Link {
    return this.asked(() => anchorOf(this.driver))
  }

  close(): void {
    this.driver.close()
  }

  private asked<T>(question: () => T): T {
    try {
      return question()
    } catch (error) {
      throw told(error, this.file)
    }
  }
}
