import { type Driver, type Link, type RawRecord, type Row, type TrailReader, transaction } from '../store/index.ts'
import { type Found, foundIn } from '../trail/index.ts'
import { clearLookup, openLookupFile } from './lookup-file.ts'
import { keysOf, type Range } from './lookup-keys.ts'
import { addSession, type SessionSums, sumsOf } from './session-sums.ts'

/** So many records are one block: what is looked up is a block, and its records are read. */
export const BLOCK = 256
export const blockOf = (seq: number): number => Math.floor(seq / BLOCK)

/** Whose project a session is, while it may go on; of one that is over its records tell, those of before they did do not. */
export type RootOf = (client: string, session: string) => string | undefined

/**
 * In which blocks of the trail what is asked for may be: a few keys a block instead of a row a record, so it stays small, and what a record
 * says is said by the record alone. Blocks are sorted newest first; one that is not yet sorted may hold anything, and is read.
 */
export class Lookup {
  readonly #driver: Driver
  readonly #sorted = new Set<number>()

  constructor(state: string) {
    this.#driver = openLookupFile(state)
    this.#recall()
  }

  close(): void {
    this.#driver.close()
  }

  /** Sorts some more, for so long at most. True: all that can be sorted is. */
  advance(trail: TrailReader, rootOf: RootOf, ms: number): boolean {
    const end = performance.now() + ms
    this.#check(trail)
    const { first, newest } = boundsOf(trail)
    for (let block = newest; block >= first; block--) {
      if (this.#sorted.has(block)) continue
      if (performance.now() > end) return false
      this.#sort(block, trail, rootOf)
    }
    return true
  }

  /** How many of how many blocks are sorted. */
  progress(trail: TrailReader): { readonly blocks: number; readonly of: number } {
    const { first, newest } = boundsOf(trail)
    return { blocks: this.#sorted.size, of: Math.max(this.#sorted.size, newest - first + 1) }
  }

  /** Whether a block may hold a record with a key of each list. */
  mayHold(lists: readonly (readonly Range[])[]): (block: number) => boolean {
    const found = lists.map(ranges => this.#blocksWith(ranges))
    return block => !this.#sorted.has(block) || found.every(blocks => blocks.has(block))
  }

  /** The newest block that is sorted; what is newer is to be read. */
  get newest(): number {
    return Number(this.#driver.prepare('SELECT max(block) AS newest FROM blocks').get()?.newest ?? -1)
  }

  /** By their last record, newest first. */
  sessions(before: number, most: number, only: { client?: string; root?: string }): readonly SessionSums[] {
    const { client, root } = only
    const where = [
      'last < ?',
      ...(client === undefined ? [] : ['client = ?']),
      ...(root === undefined ? [] : ['root = ?']),
    ]
    const values = [before, ...[client, root].flatMap(one => one ?? []), most]
    return this.#driver
      .prepare(`SELECT * FROM sessions WHERE ${where.join(' AND ')} ORDER BY last DESC LIMIT ?`)
      .all(...values)
      .map(row => this.#withAgents(row))
  }

  session(client: string, id: string): SessionSums | undefined {
    const row = this.#driver.prepare('SELECT * FROM sessions WHERE client = ? AND id = ?').get(client, id)
    return row && this.#withAgents(row)
  }

  #withAgents(row: Row): SessionSums {
    const sql = 'SELECT id, caller, first FROM agents WHERE client = ? AND session = ?'
    return sumsOf(row, this.#driver.prepare(sql).all(String(row.client), String(row.id)))
  }

  #blocksWith(ranges: readonly Range[]): ReadonlySet<number> {
    const sql = 'SELECT block FROM keys WHERE key >= ? AND key < ?'
    const rows = ranges.flatMap(({ from, to }) => this.#driver.prepare(sql).all(from, to))
    return new Set(rows.map(({ block }) => Number(block)))
  }

  #recall(): void {
    this.#sorted.clear()
    for (const { block } of this.#driver.prepare('SELECT block FROM blocks').all()) this.#sorted.add(Number(block))
  }

  /** Another trail in its place, or one that was cut and went on otherwise, is sorted anew. What is gone from it goes here too. */
  #check(trail: TrailReader): void {
    const last = this.#driver.prepare('SELECT block, hash FROM blocks ORDER BY block DESC LIMIT 1').get()
    if (last && isOf(trail, Number(last.block) * BLOCK + BLOCK - 1, String(last.hash))) {
      this.#forgetUpTo(trail.anchor().seq)
      return
    }
    transaction(this.#driver, () => clearLookup(this.#driver))
    this.#sorted.clear()
  }

  #forgetUpTo(seq: number): void {
    const first = blockOf(seq + 1)
    const oldest = this.#driver.prepare('SELECT min(block) AS oldest FROM blocks').get()?.oldest
    if (Number(oldest ?? first) >= first) return
    transaction(this.#driver, () => {
      this.#driver.prepare('DELETE FROM sessions WHERE last <= ?').run(seq)
      this.#driver.exec(ORPHANS)
      for (const table of ['blocks', 'keys']) this.#driver.prepare(`DELETE FROM ${table} WHERE block < ?`).run(first)
    })
    for (const block of this.#sorted) if (block < first) this.#sorted.delete(block)
  }

  #sort(block: number, trail: TrailReader, rootOf: RootOf): void {
    const records = blockIn(trail, block)
    const last = records.at(-1)
    if (!last) return
    transaction(this.#driver, () => {
      this.#sorted.add(block)
      // another process may have sorted it: sessions are added up, and must not be twice
      const isNew = this.#driver
        .prepare('INSERT OR IGNORE INTO blocks VALUES (?, ?) RETURNING block')
        .get(block, last.hash)
      if (isNew) this.#write(block, records, rootOf)
    })
  }

  #write(block: number, records: readonly RawRecord[], rootOf: RootOf): void {
    const keys = new Set<string>()
    const sessions = new Map<string, SessionSums>()
    for (const found of records.flatMap(readable)) {
      const { client, session, root: own } = found.record
      const root = rootOf(client, session) ?? own
      for (const key of keysOf(found, root)) keys.add(key)
      addSession(sessions, found, root)
    }
    const putKey = this.#driver.prepare('INSERT OR IGNORE INTO keys VALUES (?, ?)')
    for (const key of keys) putKey.run(key, block)
    const putSession = this.#driver.prepare(UPSERT)
    const putAgent = this.#driver.prepare(UPSERT_AGENT)
    for (const one of sessions.values()) {
      putSession.run(
        ...[one.client, one.session, one.root, one.first, one.last, one.firstAt, one.lastAt],
        ...[one.events, one.calls, one.denied, one.asked],
      )
      for (const [id, { caller, first }] of one.agents) putAgent.run(one.client, one.session, id, caller, first)
    }
  }
}

const UPSERT = `INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
  root = coalesce(root, excluded.root), first = min(first, excluded.first), last = max(last, excluded.last),
  first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at), events = events + excluded.events,
  calls = calls + excluded.calls, denied = denied + excluded.denied, asked = asked + excluded.asked`

const UPSERT_AGENT = `INSERT INTO agents VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
  caller = CASE WHEN excluded.first < first THEN excluded.caller ELSE caller END, first = min(first, excluded.first)`

const ORPHANS = `DELETE FROM agents WHERE NOT EXISTS (
  SELECT 1 FROM sessions WHERE sessions.client = agents.client AND sessions.id = agents.session)`

/** As it was, or removed because it was old. */
function isOf(trail: TrailReader, seq: number, hash: string): boolean {
  const found = trail.hashAt(seq)
  return found === hash || (found === undefined && trail.anchor().seq >= seq)
}

/** The oldest block there is, and the newest that is full. */
function boundsOf(trail: TrailReader): { readonly first: number; readonly newest: number } {
  const last = trail.last()
  return { first: blockOf(trail.anchor().seq + 1), newest: last === 0 ? -1 : blockOf(last + 1) - 1 }
}

/** Oldest first. */
export const blockIn = (trail: TrailReader, block: number): readonly RawRecord[] =>
  trail.after(block * BLOCK - 1, BLOCK).filter(({ seq }) => blockOf(seq) === block)

export const readable = (raw: RawRecord & Link): readonly Found[] => {
  const found = foundIn(raw)
  return found ? [found] : []
}
