import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { anchorOf } from './audit.ts'
import { GONE, hasBegun } from './beginnings.ts'
import { type Driver, type Libsql, openDriver, type Row, type Statement } from './driver.ts'
import { isDamage, told } from './faults.ts'
import { HeadFile } from './head.ts'
import type { Link } from './head-lines.ts'
import { openToLook, PRAGMAS } from './looking.ts'
import { readMarks } from './marks.ts'
import { inodeOf } from './set-aside.ts'
import { type Verification, type Verifying, verify } from './verify.ts'

/** A record as it lies there: its text is what the hash is over. */
export interface RawRecord extends Link {
  readonly json: string
}

/** The trail for who only looks: nothing is made, mended, set aside or locked by it. */
export class TrailReader {
  private readonly older: Statement
  private readonly newer: Statement
  private readonly one: Statement

  private constructor(
    private readonly driver: Driver,
    private readonly file: string,
    private readonly inode: number | undefined,
  ) {
    this.older = driver.prepare('SELECT seq, hash, json FROM records WHERE seq < ? ORDER BY seq DESC LIMIT ?')
    this.newer = driver.prepare('SELECT seq, hash, json FROM records WHERE seq > ? ORDER BY seq LIMIT ?')
    this.one = driver.prepare('SELECT hash FROM records WHERE seq = ?')
  }

  /** Undefined: there is no database (yet). */
  static open(state: string, libsql?: () => Libsql): TrailReader | undefined {
    const file = join(state, 'signalbox.db')
    const looked = openToLook(file, libsql)
    return looked && new TrailReader(looked.driver, file, looked.inode)
  }

  /** Newest first. */
  before(seq: number, most: number): readonly RawRecord[] {
    return this.read(() => this.older.all(seq, most).map(rawRecord))
  }

  /** Oldest first. */
  after(seq: number, most: number): readonly RawRecord[] {
    return this.read(() => this.newer.all(seq, most).map(rawRecord))
  }

  hashAt(seq: number): string | undefined {
    const hash = this.read(() => this.one.get(seq))?.hash
    return hash === undefined ? undefined : String(hash)
  }

  /** The record beside which the chain begins: those up to it are gone. */
  anchor(): Link {
    return this.read(() => anchorOf(this.driver))
  }

  last(): number {
    return this.read(() => Number(this.driver.prepare('SELECT max(seq) AS last FROM records').get()?.last ?? 0))
  }

  /** Another number when somebody else has written: no record is read for that. */
  version(): number {
    return this.read(() => Number(this.driver.prepare('PRAGMA data_version').get()?.data_version))
  }

  /** False: it was set aside or removed, and whoever writes now writes to another file. */
  isCurrent(): boolean {
    return inodeOf(this.file) === this.inode
  }

  close(): void {
    this.driver.close()
  }

  private read<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw told(error, this.file)
    }
  }
}

/** Undefined: there never was a trail. One that is gone, or lost its table, is told as it is. */
export function verifyTrail(
  state: string,
  progress?: Verifying['progress'],
  beginnings?: string,
): Verification | undefined {
  const file = join(state, 'signalbox.db')
  const head = new HeadFile(join(state, 'audit-head'))
  const outside = head.read()
  const gone = (problem: string): Verification => {
    const { seq = 0 } = outside ?? {}
    return { ok: false, records: 0, from: 0, to: 0, flaws: [{ seq, problem }] }
  }
  if (!existsSync(file)) {
    if (!outside) return hasBegun(beginnings, state) ? gone(GONE) : undefined
    return gone(`the database is missing, and ${outside.seq} records with it`)
  }
  const witnesses = readMarks(state).map(({ seq, hash, to }) => ({ seq, hash, says: `it was sent to ${to}` }))
  let driver: Driver | undefined
  try {
    driver = openDriver(file)
    driver.exec(PRAGMAS)
    return verify(driver, () => head.read(), { witnesses, ...(progress && { progress }) })
  } catch (error) {
    if (!isDamage(error)) throw told(error, file)
    return gone(`${file} is damaged: nothing in it can be read${outside ? `, where ${outside.seq} records were` : ''}`)
  } finally {
    driver?.close()
  }
}

const rawRecord = ({ seq, hash, json }: Row): RawRecord => ({
  seq: Number(seq),
  hash: String(hash),
  json: String(json),
})
