import { type ParsedRecord, parseRecord } from '../../../audit/index.ts'
import {
  type AuditLogReader,
  type ChainLink,
  type RawRecord,
  runTransaction,
  type SqlDriver,
  type SqlRow,
} from '../../../store/index.ts'
import { clearLookup, openLookupFile } from './lookup-file.ts'
import { type KeyRange, lookupKeysOf } from './lookup-keys.ts'
import { addToSession, type SessionSums, sessionSumsOfRow } from './session-sums.ts'

/** The lookup finds blocks of this many records; the records of a block are then read. */
export const BLOCK_SIZE = 256
export const blockOf = (seq: number): number => Math.floor(seq / BLOCK_SIZE)

/** The project of a live session. For an ended session the records contain it, except in old records. */
export type SessionRootOf = (client: string, session: string) => string | undefined

/**
 * Finds the blocks of the audit log that may contain matching records. It stores a few keys per block instead of a row per record,
 * so it is small and duplicates no data. Blocks are indexed newest first. A block that is not indexed may contain anything, so it is read.
 */
export class RecordLookup {
  readonly #driver: SqlDriver
  readonly #sorted = new Set<number>()

  constructor(state: string) {
    this.#driver = openLookupFile(state)
    this.#recall()
  }

  close(): void {
    this.#driver.close()
  }

  /** Indexes more blocks, for at most `ms`. True if all full blocks are indexed. */
  advance(auditLog: AuditLogReader, rootOf: SessionRootOf, ms: number): boolean {
    const end = performance.now() + ms
    this.#check(auditLog)
    const { first, newest } = blockBoundsOf(auditLog)
    for (let block = newest; block >= first; block--) {
      if (this.#sorted.has(block)) continue
      if (performance.now() > end) return false
      this.#sort(block, auditLog, rootOf)
    }
    return true
  }

  /** How many of how many blocks are indexed. */
  progress(auditLog: AuditLogReader): { readonly blocks: number; readonly of: number } {
    const { first, newest } = blockBoundsOf(auditLog)
    return { blocks: this.#sorted.size, of: Math.max(this.#sorted.size, newest - first + 1) }
  }

  /** Whether a block may contain a record with a key of each list. */
  mayHold(lists: readonly (readonly KeyRange[])[]): (block: number) => boolean {
    const found = lists.map(ranges => this.#blocksWith(ranges))
    return block => !this.#sorted.has(block) || found.every(blocks => blocks.has(block))
  }

  /** The newest indexed block; newer records must be read. */
  get newest(): number {
    return Number(this.#driver.prepare('SELECT max(block) AS newest FROM blocks').get()?.newest ?? -1)
  }

  /** Ordered by last record, newest first. */
  sessions(before: number, most: number, only: { client?: string; root?: string }): readonly SessionSums[] {
    const { client, root } = only
    const where = [
      'last < ?',
      ...(client === undefined ? [] : ['client = ?']),
      ...(root === undefined ? [] : ['root = ?']),
    ]
    const values = [before, ...[client, root].flatMap(text => text ?? []), most]
    return this.#driver
      .prepare(`SELECT * FROM sessions WHERE ${where.join(' AND ')} ORDER BY last DESC LIMIT ?`)
      .all(...values)
      .map(row => this.#withAgents(row))
  }

  session(client: string, id: string): SessionSums | undefined {
    const row = this.#driver.prepare('SELECT * FROM sessions WHERE client = ? AND id = ?').get(client, id)
    return row && this.#withAgents(row)
  }

  #withAgents(row: SqlRow): SessionSums {
    const sql = 'SELECT id, caller, first FROM agents WHERE client = ? AND session = ?'
    return sessionSumsOfRow(row, this.#driver.prepare(sql).all(String(row.client), String(row.id)))
  }

  #blocksWith(ranges: readonly KeyRange[]): ReadonlySet<number> {
    const sql = 'SELECT block FROM keys WHERE key >= ? AND key < ?'
    const rows = ranges.flatMap(({ from, to }) => this.#driver.prepare(sql).all(from, to))
    return new Set(rows.map(({ block }) => Number(block)))
  }

  #recall(): void {
    this.#sorted.clear()
    for (const { block } of this.#driver.prepare('SELECT block FROM blocks').all()) this.#sorted.add(Number(block))
  }

  /** Rebuilds the index if the audit log was replaced or cut and continued. Forgets blocks that retention removed. */
  #check(auditLog: AuditLogReader): void {
    const last = this.#driver.prepare('SELECT block, hash FROM blocks ORDER BY block DESC LIMIT 1').get()
    if (last && isBlockUnchanged(auditLog, Number(last.block) * BLOCK_SIZE + BLOCK_SIZE - 1, String(last.hash))) {
      this.#forgetUpTo(auditLog.anchor().seq)
      return
    }
    runTransaction(this.#driver, () => clearLookup(this.#driver))
    this.#sorted.clear()
  }

  #forgetUpTo(seq: number): void {
    const first = blockOf(seq + 1)
    const oldest = this.#driver.prepare('SELECT min(block) AS oldest FROM blocks').get()?.oldest
    if (Number(oldest ?? first) >= first) return
    runTransaction(this.#driver, () => {
      this.#driver.prepare('DELETE FROM sessions WHERE last <= ?').run(seq)
      this.#driver.exec(DELETE_ORPHAN_AGENTS)
      for (const table of ['blocks', 'keys']) this.#driver.prepare(`DELETE FROM ${table} WHERE block < ?`).run(first)
    })
    for (const block of this.#sorted) if (block < first) this.#sorted.delete(block)
  }

  #sort(block: number, auditLog: AuditLogReader, rootOf: SessionRootOf): void {
    const records = readBlock(auditLog, block)
    const last = records.at(-1)
    if (!last) return
    runTransaction(this.#driver, () => {
      this.#sorted.add(block)
      // another process may have indexed the block, and its session sums must not be added twice
      const isNew = this.#driver
        .prepare('INSERT OR IGNORE INTO blocks VALUES (?, ?) RETURNING block')
        .get(block, last.hash)
      if (isNew) this.#write(block, records, rootOf)
    })
  }

  #write(block: number, records: readonly RawRecord[], rootOf: SessionRootOf): void {
    const keys = new Set<string>()
    const sessions = new Map<string, SessionSums>()
    for (const found of records.flatMap(parseReadable)) {
      const { client, session, root: own } = found.record
      const root = rootOf(client, session) ?? own
      for (const key of lookupKeysOf(found, root)) keys.add(key)
      addToSession(sessions, found, root)
    }
    const putKey = this.#driver.prepare('INSERT OR IGNORE INTO keys VALUES (?, ?)')
    for (const key of keys) putKey.run(key, block)
    const putSession = this.#driver.prepare(UPSERT_SESSION)
    const putAgent = this.#driver.prepare(UPSERT_AGENT)
    for (const session of sessions.values()) {
      putSession.run(
        ...[
          session.client,
          session.session,
          session.root,
          session.first,
          session.last,
          session.firstAt,
          session.lastAt,
        ],
        ...[session.events, session.calls, session.denied, session.asked],
      )
      for (const [id, { caller, first }] of session.agents)
        putAgent.run(session.client, session.session, id, caller, first)
    }
  }
}

const UPSERT_SESSION = `INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
  root = coalesce(root, excluded.root), first = min(first, excluded.first), last = max(last, excluded.last),
  first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at), events = events + excluded.events,
  calls = calls + excluded.calls, denied = denied + excluded.denied, asked = asked + excluded.asked`

const UPSERT_AGENT = `INSERT INTO agents VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
  caller = CASE WHEN excluded.first < first THEN excluded.caller ELSE caller END, first = min(first, excluded.first)`

const DELETE_ORPHAN_AGENTS = `DELETE FROM agents WHERE NOT EXISTS (
  SELECT 1 FROM sessions WHERE sessions.client = agents.client AND sessions.id = agents.session)`

/** The block is unchanged, or was removed by retention. */
function isBlockUnchanged(auditLog: AuditLogReader, seq: number, hash: string): boolean {
  const found = auditLog.hashAt(seq)
  return found === hash || (found === undefined && auditLog.anchor().seq >= seq)
}

/** The oldest block, and the newest full block. */
function blockBoundsOf(auditLog: AuditLogReader): { readonly first: number; readonly newest: number } {
  const last = auditLog.last()
  return { first: blockOf(auditLog.anchor().seq + 1), newest: last === 0 ? -1 : blockOf(last + 1) - 1 }
}

/** Oldest first. */
export const readBlock = (auditLog: AuditLogReader, block: number): readonly RawRecord[] =>
  auditLog.after(block * BLOCK_SIZE - 1, BLOCK_SIZE).filter(({ seq }) => blockOf(seq) === block)

export const parseReadable = (raw: RawRecord & ChainLink): readonly ParsedRecord[] => {
  const found = parseRecord(raw)
  return found ? [found] : []
}
