import { CANARY_SESSION } from '../../engine/index.ts'
import type { Json } from '../../lib/json.ts'
import { sha256 } from '../../lib/sha256.ts'
import { redactRecord } from '../redact/redact.ts'
import type { SqlDriver, SqlRow, SqlStatement } from '../sqlite/driver.ts'
import { readMeta } from '../sqlite/driver.ts'
import type { AuditRecord, ChainLink, RecordQuery, StoredRecord } from '../store.ts'
import { GENESIS_LINK } from './chain-head.ts'

export const hashRecord = (before: string, seq: number, json: string): string => sha256(`${before}\n${seq}\n${json}`)

/** The link before the first record: the genesis link, or the last record that retention or a reset removed. */
export function readAnchor(driver: SqlDriver): ChainLink {
  const { seq, hash } = readMeta(driver, 'anchor') ?? {}
  return typeof seq === 'number' && typeof hash === 'string' ? { seq, hash } : GENESIS_LINK
}

/** Appends to the audit log. Use only inside a transaction. */
export class AuditLog {
  private readonly last: SqlStatement
  private readonly insert: SqlStatement
  private readonly one: SqlStatement

  constructor(private readonly driver: SqlDriver) {
    this.last = driver.prepare('SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1')
    this.insert = driver.prepare('INSERT INTO records VALUES (?, ?, ?, ?)')
    this.one = driver.prepare('SELECT reply FROM records WHERE seq = ?')
  }

  head(): ChainLink {
    const row = this.last.get()
    return row ? { seq: Number(row.seq), hash: String(row.hash) } : readAnchor(this.driver)
  }

  /** `reply` is stored beside the last record, in case the client sends the event again. */
  append(records: readonly AuditRecord[], head: ChainLink = this.head(), reply?: Json): ChainLink {
    const last = records.length - 1
    return records.reduce(
      (before, record, nth) => this.link(before, redactRecord(record), nth === last ? reply : undefined),
      head,
    )
  }

  /** The reply is not part of the audit log and is deleted after a while, see `reply-cache.ts`. */
  replyBeside(seq: number): Json | undefined {
    const text = this.one.get(seq)?.reply
    return typeof text === 'string' ? JSON.parse(text) : undefined
  }

  private link(before: ChainLink, record: AuditRecord, reply: Json | undefined): ChainLink {
    const seq = before.seq + 1
    // the hash covers this exact text, so the order of the keys does not matter
    const json = JSON.stringify(record)
    const hash = hashRecord(before.hash, seq, json)
    this.insert.run(seq, json, hash, reply === undefined ? null : JSON.stringify(reply))
    return { seq, hash }
  }
}

/** Oldest record first. */
export function readRecords(driver: SqlDriver, query: RecordQuery): readonly StoredRecord[] {
  if ('after' in query) {
    const page = driver.prepare('SELECT seq, hash, json FROM records WHERE seq > ? ORDER BY seq LIMIT ?')
    return page.all(query.after, query.most).map(toStoredRecord)
  }
  const { last } = query
  const rows = driver.prepare('SELECT seq, hash, json FROM records ORDER BY seq DESC LIMIT ?').all(last)
  return rows.map(toStoredRecord).reverse()
}

const toStoredRecord = ({ seq, hash, json }: SqlRow): StoredRecord => ({
  seq: Number(seq),
  hash: String(hash),
  record: JSON.parse(String(json)),
})

/** A record about the store itself: a reset or a removal must be visible in the audit log. */
export const createStoreRecord = (name: string, at: number, note: string, anchor?: ChainLink): AuditRecord => ({
  at,
  client: 'signalbox',
  session: '',
  event: 'other',
  name,
  caller: 'unknown',
  turn: 0,
  acts: [],
  decision: 'pass',
  matches: [],
  moves: [],
  notes: [note],
  errors: [],
  policy: '',
  ...(anchor && { anchor }),
})

/** False for the store's own records, and for test calls that check whether a denial arrives. */
export const isAgentRecord = ({ client, session }: Pick<AuditRecord, 'client' | 'session'>): boolean =>
  client !== 'signalbox' && !session.startsWith(CANARY_SESSION)

export const isRetentionDue = (before: ChainLink, after: ChainLink): boolean =>
  Math.floor(before.seq / SWEEP_EVERY) !== Math.floor(after.seq / SWEEP_EVERY)
/** One event in `SWEEP_EVERY` applies retention, and removes at most `MAX_REMOVED` records. */
const SWEEP_EVERY = 64
