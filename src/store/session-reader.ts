import { join } from 'node:path'
import type { GateMemory } from '../core/index.ts'
import type { Driver, Libsql, Row } from './driver.ts'
import { told } from './faults.ts'
import { openToLook } from './looking.ts'
import { nameOf } from './sessions.ts'
import { isGates, isSession, parse } from './sound.ts'
import type { SessionKey } from './store.ts'

/** A session that may go on, as far as others may want to know of it. */
export interface LiveSession extends SessionKey {
  readonly root: string
  readonly seenAt: number
  readonly startedAt: number
  readonly turn: number
  /** by gate id, and `gate@caller` */
  readonly gates: Readonly<Record<string, GateMemory>>
}

const FIELDS = 'client, id, root, json, seen_at'

/** Sessions for who only looks. */
export class SessionReader {
  private constructor(
    private readonly driver: Driver,
    private readonly file: string,
  ) {}

  /** Undefined: there is no database (yet). */
  static open(state: string, libsql?: () => Libsql): SessionReader | undefined {
    const file = join(state, 'signalbox.db')
    const looked = openToLook(file, libsql)
    return looked && new SessionReader(looked.driver, file)
  }

  /** Those that may go on, the latest first. One that is damaged is nobody's. */
  live(now: number, most: number): readonly LiveSession[] {
    const sql = `SELECT ${FIELDS} FROM sessions WHERE expires_at >= ? ORDER BY seen_at DESC LIMIT ?`
    return this.read(() => this.driver.prepare(sql).all(now, most).flatMap(liveSession))
  }

  one(key: SessionKey, now: number): LiveSession | undefined {
    const sql = `SELECT ${FIELDS} FROM sessions WHERE key = ? AND expires_at >= ?`
    const row = this.read(() => this.driver.prepare(sql).get(nameOf(key), now))
    return row && liveSession(row)[0]
  }

  /** The gates that all sessions of a project share. */
  shared(root: string): Readonly<Record<string, GateMemory>> {
    const row = this.read(() => this.driver.prepare('SELECT json FROM projects WHERE root = ?').get(root))
    const gates = parse(row?.json)
    return isGates(gates) ? gates : {}
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

function liveSession({ client, id, root, json, seen_at }: Row): readonly LiveSession[] {
  const session = parse(json)
  if (!isSession(session)) return []
  const { gates, startedAt, turn } = session
  return [
    {
      client: String(client),
      session: String(id),
      root: String(root),
      seenAt: Number(seen_at),
      startedAt,
      turn,
      gates,
    },
  ]
}
