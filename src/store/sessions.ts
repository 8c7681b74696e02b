import { type GateMemory, newSession, type Session } from '../core/index.ts'
import { plain, sha256 } from './digest.ts'
import type { Driver, Row, Statement } from './driver.ts'
import { readMeta } from './meta.ts'
import { isGates, isSession, parse } from './sound.ts'
import type { Circumstances, SessionKey } from './store.ts'

const HOUR_MS = 3_600_000

/** Ids come from outside, and may be long or hold anything. */
export const nameOf = ({ client, session }: SessionKey): string => sha256(`${client}\n${session}`).slice(0, 32)

export interface Found {
  readonly session: Session
  readonly restarted: boolean
  /** what was damaged, set aside and begun anew */
  readonly damaged: readonly string[]
}

/** Sessions, and the gates that the sessions of a project share. Used inside a transaction only. */
export class Sessions {
  private readonly one: Statement
  private readonly project: Statement
  private readonly put: Statement
  private readonly putProject: Statement

  constructor(private readonly driver: Driver) {
    this.one = driver.prepare('SELECT json, restarted FROM sessions WHERE key = ?')
    this.project = driver.prepare('SELECT json, restarted FROM projects WHERE root = ?')
    // written over in place: a row that is removed and put back dirties twice the pages
    this.put = driver.prepare(`INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
      root = excluded.root, json = excluded.json, seen_at = excluded.seen_at, expires_at = excluded.expires_at,
      restarted = excluded.restarted`)
    this.putProject = driver.prepare(`INSERT INTO projects VALUES (?, ?, ?) ON CONFLICT (root) DO UPDATE SET
      json = excluded.json, restarted = excluded.restarted`)
  }

  load(name: string, key: SessionKey, circumstances: Circumstances): Found {
    const { root, now } = circumstances
    const own = read(this.one.get(name), isSession)
    const pinned = own.value?.root ?? root
    const shared = read(this.project.get(pinned), isGates)
    if (own.damage !== undefined) this.setAside(now, 'session', name, own.damage)
    if (shared.damage !== undefined) this.setAside(now, 'project', pinned, shared.damage)
    return {
      session: { ...newSession(key.session, pinned, now), ...own.value, shared: shared.value ?? {} },
      restarted: own.restarted || shared.restarted || (!own.value && this.isAfterReset(circumstances)),
      damaged: [
        ...(own.damage === undefined ? [] : ['the state of this session']),
        ...(shared.damage === undefined ? [] : ['the shared gates of this project']),
      ],
    }
  }

  save(name: string, key: SessionKey, session: Session, before: Found, { now, expiryHours }: Circumstances): void {
    const { shared, ...own } = session
    const restarted = before.restarted ? 1 : 0
    const expires = Math.round(now + expiryHours * HOUR_MS)
    this.put.run(name, key.client, plain(key.session), own.root, JSON.stringify(own), now, expires, restarted)
    if (shared !== before.session.shared && !isSame(shared, before.session.shared))
      this.putProject.run(own.root, JSON.stringify(shared), restarted)
  }

  /** A session that comes up soon after a reset of the whole store may have been there before it. */
  private isAfterReset({ now, expiryHours }: Circumstances): boolean {
    const at = readMeta(this.driver, 'reset')?.at
    return typeof at === 'number' && now < at + expiryHours * HOUR_MS
  }

  /** Never lost: someone may want to see what it was. */
  private setAside(now: number, kind: 'session' | 'project', key: string, json: string): void {
    this.driver.prepare('INSERT INTO damaged VALUES (?, ?, ?, ?)').run(now, kind, key, json)
    const table = kind === 'session' ? 'sessions WHERE key' : 'projects WHERE root'
    this.driver.prepare(`DELETE FROM ${table} = ?`).run(key)
  }
}

interface Reading<T> {
  readonly value?: T
  readonly restarted: boolean
  readonly damage?: string
}

function read<T>(row: Row | undefined, isSound: (value: unknown) => value is T): Reading<T> {
  if (!row) return { restarted: false }
  const value = parse(row.json)
  return isSound(value) ? { value, restarted: row.restarted === 1 } : { restarted: true, damage: String(row.json) }
}

const isSame = (a: { readonly [id: string]: GateMemory }, b: { readonly [id: string]: GateMemory }): boolean => {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => a[key] === b[key])
}
