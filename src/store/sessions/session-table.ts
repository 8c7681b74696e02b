import { type GateVariables, newSession, type Session } from '../../engine/index.ts'
import { isObject } from '../../lib/json.ts'
import { redactSessionId } from '../redact/redact.ts'
import type { SqlDriver, SqlStatement } from '../sqlite/driver.ts'
import { parseJsonOrUndefined, readMeta } from '../sqlite/driver.ts'
import type { ChainLink, SessionContext, SessionKey } from '../store.ts'
import type { EncodedReplyIndex } from './event-replies.ts'

const HOUR_MS = 3_600_000

/** The expiry time of a session used now. */
export const sessionExpiryOf = ({ now, expiryHours }: SessionContext): number => Math.round(now + expiryHours * HOUR_MS)

type OwnSession = Omit<Session, 'shared'>
const NO_GATES = {}

export interface SessionLookup {
  readonly session: Session
  readonly given: EncodedReplyIndex
  readonly restarted: boolean
  /** the session was stored before */
  readonly known: boolean
  /** what was damaged and has been reset */
  readonly damaged: readonly string[]
  /** the head of the audit log, read in the same query; absent while the log is empty */
  readonly head: ChainLink | undefined
}

/** Sessions, and the gates that all sessions of a project share. Write only inside a transaction. */
export class SessionTable {
  private readonly all: SqlStatement
  private readonly known: SqlStatement
  private readonly insert: SqlStatement
  private readonly update: SqlStatement
  private readonly putProject: SqlStatement

  constructor(private readonly driver: SqlDriver) {
    // one statement for everything that an event needs: a statement costs as much as the data it reads
    this.all = driver.prepare(`SELECT s.json, s.answers, coalesce(s.root, d.root) AS root, p.json AS shared,
      max(coalesce(s.restarted, 0), coalesce(p.restarted, 0)) AS restarted, r.seq, r.hash
      FROM (SELECT ? AS key, ? AS root) d LEFT JOIN sessions s ON s.key = d.key
      LEFT JOIN projects p ON p.root = coalesce(s.root, d.root)
      LEFT JOIN records r ON r.seq = (SELECT max(seq) FROM records)`)
    this.known = driver.prepare('SELECT root, answers FROM sessions WHERE key = ?')
    this.insert = driver.prepare('INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
    // an update in place: deleting and inserting a row writes twice as many pages
    this.update = driver.prepare(`UPDATE sessions SET json = ?, answers = ?, seen_at = ?, expires_at = ?, restarted = ?
      WHERE key = ?`)
    this.putProject = driver.prepare(`INSERT INTO projects VALUES (?, ?, ?) ON CONFLICT (root) DO UPDATE SET
      json = excluded.json, restarted = excluded.restarted`)
  }

  /** Reads the root and the reply index without a transaction. */
  peek(name: string): { readonly root: string; readonly given: EncodedReplyIndex } | undefined {
    const row = this.known.get(name)
    return row && { root: String(row.root), given: String(row.answers) }
  }

  load(name: string, key: SessionKey, context: SessionContext): SessionLookup {
    const { now } = context
    const { own, shared, ...found } = this.#read(name, key, context)
    if (own !== undefined) this.setAside(now, 'session', name, own)
    if (shared !== undefined) this.setAside(now, 'project', found.session.root, shared)
    return found
  }

  /** Like `load`, but outside a transaction: damaged rows stay where they are. */
  look(name: string, key: SessionKey, context: SessionContext): SessionLookup {
    const { own: _, shared: __, ...found } = this.#read(name, key, context)
    return found
  }

  /** Also returns the texts of damaged rows. */
  #read(name: string, key: SessionKey, context: SessionContext): SessionLookup & { own?: string; shared?: string } {
    const { now } = context
    const row = this.all.get(name, context.root) ?? {}
    const own = readJsonRow<OwnSession>(row.json, isStoredSession)
    const pinned = String(row.root)
    const shared = readJsonRow(row.shared, isGateStates)
    const isDamaged = own.damage !== undefined || shared.damage !== undefined
    return {
      ...(own.damage !== undefined && { own: own.damage }),
      ...(shared.damage !== undefined && { shared: shared.damage }),
      session: {
        ...newSession(key.session, pinned, now),
        ...own.value,
        id: key.session,
        shared: shared.value ?? NO_GATES,
      },
      given: typeof row.answers === 'string' ? row.answers : '',
      known: own.value !== undefined,
      restarted: isDamaged || row.restarted === 1 || (!own.value && this.isAfterReset(context)),
      damaged: [
        ...(own.damage === undefined ? [] : ['the state of this session']),
        ...(shared.damage === undefined ? [] : ['the shared gates of this project']),
      ],
      head: typeof row.hash === 'string' ? { seq: Number(row.seq), hash: row.hash } : undefined,
    }
  }

  /** Returns whether gates shared with other sessions changed. */
  save(
    name: string,
    key: SessionKey,
    after: Pick<SessionLookup, 'session' | 'given'>,
    before: SessionLookup,
    at: SessionContext,
  ): boolean {
    const { session } = after
    const { now } = at
    const expires = sessionExpiryOf(at)
    const restarted = before.restarted ? 1 : 0
    const text = JSON.stringify(toOwnSession(session))
    if (before.known) this.update.run(text, after.given, now, expires, restarted, name)
    else
      this.insert.run(
        name,
        key.client,
        redactSessionId(key.session),
        session.root,
        text,
        after.given,
        now,
        expires,
        restarted,
      )
    if (session.shared === before.session.shared || hasSameGates(session.shared, before.session.shared)) return false
    this.putProject.run(session.root, JSON.stringify(session.shared), restarted)
    return true
  }

  /** A session first seen soon after a reset of the store may have existed before the reset. */
  private isAfterReset({ now, expiryHours }: SessionContext): boolean {
    const at = readMeta(this.driver, 'reset')?.at
    return typeof at === 'number' && now < at + expiryHours * HOUR_MS
  }

  /** Moves a damaged row to the table `damaged`, so that a person can inspect it. */
  private setAside(now: number, kind: 'session' | 'project', key: string, json: string): void {
    this.driver.prepare('INSERT INTO damaged VALUES (?, ?, ?, ?)').run(now, kind, key, json)
    const table = kind === 'session' ? 'sessions WHERE key' : 'projects WHERE root'
    this.driver.prepare(`DELETE FROM ${table} = ?`).run(key)
  }
}

/** The session without the shared gates, which have their own row. Listing the keys is five times as fast as spread and delete. */
const toOwnSession = (session: Session): Required<{ [key in keyof OwnSession]: OwnSession[key] | undefined }> => ({
  // redacted: callers that need the full id already have it
  id: redactSessionId(session.id),
  root: session.root,
  turn: session.turn,
  startedAt: session.startedAt,
  seenAt: session.seenAt,
  gates: session.gates,
  waiting: session.waiting,
  queue: session.queue,
  denials: session.denials,
  stopsRefused: session.stopsRefused,
  notified: session.notified,
  stopReason: session.stopReason,
  spawns: session.spawns,
  begun: session.begun,
  files: session.files,
  exported: session.exported,
})

interface RowReading<T> {
  readonly value?: T
  readonly damage?: string
}

/** `json` of a missing row is null. */
function readJsonRow<T>(json: unknown, isSound: (value: unknown) => value is T): RowReading<T> {
  if (json === null || json === undefined) return {}
  const value = parseJsonOrUndefined(json)
  return isSound(value) ? { value } : { damage: String(json) }
}

const hasSameGates = (
  a: { readonly [id: string]: GateVariables },
  b: { readonly [id: string]: GateVariables },
): boolean => {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => a[key] === b[key])
}

export const isStoredSession = (value: unknown): value is Omit<Session, 'shared'> =>
  isObject(value) &&
  typeof value.id === 'string' &&
  typeof value.root === 'string' &&
  typeof value.turn === 'number' &&
  isGateStates(value.gates) &&
  Array.isArray(value.waiting) &&
  Array.isArray(value.queue) &&
  isObject(value.denials)

export const isGateStates = (value: unknown): value is { [id: string]: GateVariables } =>
  isObject(value) &&
  Object.values(value).every(
    gate => isObject(gate) && (gate.state === 'open' || gate.state === 'closed') && isObject(gate.changed),
  )

/** Small corrections of the clock are normal. */
const CLOCK_SLACK_MS = 60_000

type SessionGates = Session['gates']

/**
 * Handles a clock that was set back: times in the future are set to now. Otherwise a gate that closes after ten minutes would stay open
 * until the clock reaches the old time again.
 */
export function clampToClock(session: Session, now: number): Session {
  const shared = clampGates(session.shared, now)
  // the session's own gates never change after `seenAt`
  const gates = session.seenAt > now + CLOCK_SLACK_MS ? clampGates(session.gates, now) : session.gates
  return shared === session.shared && gates === session.gates ? session : { ...session, gates, shared }
}

/** Returns the same object if no gate is ahead of the clock. */
function clampGates(gates: SessionGates, now: number): SessionGates {
  const ahead = Object.entries(gates).filter(([, { changed, opened, closed }]) =>
    [changed, opened, closed].some(mark => mark && mark.at > now + CLOCK_SLACK_MS),
  )
  return ahead.length === 0
    ? gates
    : { ...gates, ...Object.fromEntries(ahead.map(([id, gate]) => [id, clampGate(gate, now)])) }
}

function clampGate({ changed, opened, closed, ...gate }: GateVariables, now: number): GateVariables {
  const at = <T extends { readonly at: number }>(mark: T): T => ({ ...mark, at: Math.min(mark.at, now) })
  return { ...gate, changed: at(changed), ...(opened && { opened: at(opened) }), ...(closed && { closed: at(closed) }) }
}
