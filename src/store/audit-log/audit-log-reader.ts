import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inodeOf } from '../../lib/files.ts'
import { type LibsqlConstructor, openDriver, type SqlDriver, type SqlRow, type SqlStatement } from '../sqlite/driver.ts'
import { describeError, isCorruption } from '../sqlite/errors.ts'
import { openReadOnlyConnection, READ_ONLY_PRAGMAS } from '../sqlite/read-only-connection.ts'
import type { ChainLink, ChainVerification } from '../store.ts'
import { readAnchor } from './audit-log.ts'
import { ChainHeadFile } from './chain-head.ts'
import { readExportPositions } from './export-positions.ts'
import { isKnownStateFolder, STATE_REMOVED_PROBLEM } from './known-state-folders.ts'
import { type VerifyOptions, verifyChain } from './verify-chain.ts'

/** A record as stored. Its hash covers this exact text. */
export interface RawRecord extends ChainLink {
  readonly json: string
}

/** Reads the audit log without changing anything: creates, repairs, quarantines and locks nothing. */
export class AuditLogReader {
  private readonly older: SqlStatement
  private readonly newer: SqlStatement
  private readonly one: SqlStatement

  private constructor(
    private readonly driver: SqlDriver,
    private readonly file: string,
    private readonly inode: number | undefined,
  ) {
    this.older = driver.prepare('SELECT seq, hash, json FROM records WHERE seq < ? ORDER BY seq DESC LIMIT ?')
    this.newer = driver.prepare('SELECT seq, hash, json FROM records WHERE seq > ? ORDER BY seq LIMIT ?')
    this.one = driver.prepare('SELECT hash FROM records WHERE seq = ?')
  }

  /** Undefined if there is no database yet. */
  static open(state: string, libsql?: () => LibsqlConstructor): AuditLogReader | undefined {
    const file = join(state, 'signalbox.db')
    const looked = openReadOnlyConnection(file, libsql)
    return looked && new AuditLogReader(looked.driver, file, looked.inode)
  }

  /** Newest record first. */
  before(seq: number, most: number): readonly RawRecord[] {
    return this.read(() => this.older.all(seq, most).map(toRawRecord))
  }

  /** Oldest record first. */
  after(seq: number, most: number): readonly RawRecord[] {
    return this.read(() => this.newer.all(seq, most).map(toRawRecord))
  }

  hashAt(seq: number): string | undefined {
    const hash = this.read(() => this.one.get(seq))?.hash
    return hash === undefined ? undefined : String(hash)
  }

  /** The last removed record, after which the chain begins. */
  anchor(): ChainLink {
    return this.read(() => readAnchor(this.driver))
  }

  last(): number {
    return this.read(() => Number(this.driver.prepare('SELECT max(seq) AS last FROM records').get()?.last ?? 0))
  }

  /** Changes when another connection writes. Reads no record. */
  version(): number {
    return this.read(() => Number(this.driver.prepare('PRAGMA data_version').get()?.data_version))
  }

  /** False if the database was quarantined or removed: other processes now write to another file. */
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
      throw describeError(error, this.file)
    }
  }
}

/** Undefined if there never was an audit log. A missing database or table is reported as a problem. */
export function verifyAuditLog(
  state: string,
  progress?: VerifyOptions['progress'],
  beginnings?: string,
): ChainVerification | undefined {
  const file = join(state, 'signalbox.db')
  const head = new ChainHeadFile(join(state, 'audit-head'))
  const outside = head.read()
  const gone = (problem: string): ChainVerification => {
    const { seq = 0 } = outside ?? {}
    return { ok: false, records: 0, from: 0, to: 0, problems: [{ seq, problem }] }
  }
  if (!existsSync(file)) {
    if (!outside) return isKnownStateFolder(beginnings, state) ? gone(STATE_REMOVED_PROBLEM) : undefined
    return gone(`the database is missing, with ${outside.seq} records`)
  }
  const anchors = readExportPositions(state).map(({ seq, hash, to }) => ({
    seq,
    hash,
    proof: `it was sent to ${to}`,
  }))
  let driver: SqlDriver | undefined
  try {
    driver = openDriver(file)
    driver.exec(READ_ONLY_PRAGMAS)
    return verifyChain(driver, () => head.read(), { externalAnchors: anchors, ...(progress && { progress }) })
  } catch (error) {
    if (!isCorruption(error)) throw describeError(error, file)
    return gone(`${file} is damaged: nothing in it can be read${outside ? `, where ${outside.seq} records were` : ''}`)
  } finally {
    driver?.close()
  }
}

const toRawRecord = ({ seq, hash, json }: SqlRow): RawRecord => ({
  seq: Number(seq),
  hash: String(hash),
  json: String(json),
})
