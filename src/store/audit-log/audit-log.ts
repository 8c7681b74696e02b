import type { EventRecord } from '../../engine/index.ts'
import { CANARY_SESSION } from '../../engine/index.ts'
import type { Json } from '../../lib/json.ts'
import { sha256 } from '../digest.ts'
import { redactRecord } from '../redact/redact-record.ts'
import type { SqlDriver, SqlRow, SqlStatement } from '../sqlite/driver.ts'
import { readMeta } from '../sqlite/meta.ts'
import { type ChainLink, GENESIS_LINK } from './chain-head.ts'

/** One record of the audit trail, with what only the runtime and the store know of it. */
export interface AuditRecord extends EventRecord {
  /** milliseconds from the payload to just before the commit */
  readonly ms?: number
  /** an `allow` list clears every part of the call, and a rule asks for that */
  readonly whitelisted?: true
  /** what kept a rule from refusing it: `token` (an orchestrated task), `env NAME` */
  readonly approvedBy?: readonly string[]
  /** the project it happened in; the store's own have none */
  readonly root?: string
  /** the client's own id of the subagent that acts, where it tells one: `caller` is its type */
  readonly agent?: string
  /** the shell line as it was typed, where `acts` do not say it: how its commands are joined. Without here-documents, and not where it is too long */
  readonly line?: string
  /** nobody waited for the end of the line */
  readonly background?: true
  /** how the call ended, as its client tells it */
  readonly ended?: 'succeeded' | 'failed' | 'unknown'
  /** the store's own records: where the chain begins from now on */
  readonly anchor?: ChainLink
}

export interface StoredRecord extends ChainLink {
  readonly record: AuditRecord
}

export const hashRecord = (before: string, seq: number, json: string): string => sha256(`${before}\n${seq}\n${json}`)

/** The record beside which the chain begins: none, or the last one that retention or a reset took away. */
export function readAnchor(driver: SqlDriver): ChainLink {
  const { seq, hash } = readMeta(driver, 'anchor') ?? {}
  return typeof seq === 'number' && typeof hash === 'string' ? { seq, hash } : GENESIS_LINK
}

/** The append-only end of the trail. Used inside a transaction only. */
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

  /** `reply` is kept beside the last of them, for an event that comes again. */
  append(records: readonly AuditRecord[], head: ChainLink = this.head(), reply?: Json): ChainLink {
    const last = records.length - 1
    return records.reduce(
      (before, record, nth) => this.link(before, redactRecord(record), nth === last ? reply : undefined),
      head,
    )
  }

  /** No part of the trail: it is wiped after a while, see `retention.ts`. */
  replyBeside(seq: number): Json | undefined {
    const text = this.one.get(seq)?.reply
    return typeof text === 'string' ? JSON.parse(text) : undefined
  }

  private link(before: ChainLink, record: AuditRecord, reply: Json | undefined): ChainLink {
    const seq = before.seq + 1
    // the hash is over this very text, so the order of its keys need not be anybody else's
    const json = JSON.stringify(record)
    const hash = hashRecord(before.hash, seq, json)
    this.insert.run(seq, json, hash, reply === undefined ? null : JSON.stringify(reply))
    return { seq, hash }
  }
}

/** The latest, or a page of them: so many after a number. */
export type RecordQuery = { readonly last: number } | { readonly after: number; readonly most: number }

/** Oldest first. */
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

/** Something the store did to itself, as a record: a reset or a removal must not go by in silence. */
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

/** Not the store's own, nor of a canary that was sent to see whether a refusal comes back. */
export const isAgentRecord = ({ client, session }: Pick<AuditRecord, 'client' | 'session'>): boolean =>
  client !== 'signalbox' && !session.startsWith(CANARY_SESSION)
