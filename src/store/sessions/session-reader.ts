import { join } from 'node:path'
import type { GateVariables } from '../../engine/index.ts'
import type { LibsqlConstructor, SqlDriver, SqlRow } from '../sqlite/driver.ts'
import { parseJsonOrUndefined } from '../sqlite/driver.ts'
import { describeError } from '../sqlite/errors.ts'
import { openReadOnlyConnection } from '../sqlite/read-only-connection.ts'
import type { SessionKey } from '../store.ts'
import { sessionNameOf } from './event-replies.ts'
import { isGateStates, isStoredSession } from './session-table.ts'

/** A session that has not expired, for display. */
export interface LiveSession extends SessionKey {
  readonly root: string
  readonly seenAt: number
  readonly startedAt: number
  readonly turn: number
  /** by gate id, or `gate@caller` */
  readonly gates: Readonly<Record<string, GateVariables>>
}

const SESSION_COLUMNS = 'client, id, root, json, seen_at'

/** Reads sessions without changing anything. */
export class SessionReader {
  private constructor(
    private readonly driver: SqlDriver,
    private readonly file: string,
  ) {}

  /** Undefined if there is no database yet. */
  static open(state: string, libsql?: () => LibsqlConstructor): SessionReader | undefined {
    const file = join(state, 'signalbox.db')
    const looked = openReadOnlyConnection(file, libsql)
    return looked && new SessionReader(looked.driver, file)
  }

  /** Sessions that have not expired, latest first. Damaged sessions are left out. */
  live(now: number, most: number): readonly LiveSession[] {
    const sql = `SELECT ${SESSION_COLUMNS} FROM sessions WHERE expires_at >= ? ORDER BY seen_at DESC LIMIT ?`
    return this.read(() => this.driver.prepare(sql).all(now, most).flatMap(toLiveSession))
  }

  one(key: SessionKey, now: number): LiveSession | undefined {
    const sql = `SELECT ${SESSION_COLUMNS} FROM sessions WHERE key = ? AND expires_at >= ?`
    const row = this.read(() => this.driver.prepare(sql).get(sessionNameOf(key), now))
    return row && toLiveSession(row)[0]
  }

  /** The gates that all sessions of a project share. */
  shared(root: string): Readonly<Record<string, GateVariables>> {
    const row = this.read(() => this.driver.prepare('SELECT json FROM projects WHERE root = ?').get(root))
    const gates = parseJsonOrUndefined(row?.json)
    return isGateStates(gates) ? gates : {}
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

function toLiveSession({ client, id, root, json, seen_at }: SqlRow): readonly LiveSession[] {
  const session = parseJsonOrUndefined(json)
  if (!isStoredSession(session)) return []
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
