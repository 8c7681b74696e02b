import { existsSync } from 'node:fs'
import type { Json, JsonObject } from '../lib/json.ts'
import { type AuditLog, createStoreRecord, isRetentionDue, readRecords } from './audit-log/audit-log.ts'
import { readExportPositions } from './audit-log/export-positions.ts'
import { applyRetention, DEFAULT_RETENTION } from './audit-log/retention.ts'
import { type CommitResult, Connection, type ConnectionOptions } from './connection.ts'
import type { Database } from './database.ts'
import {
  addReply,
  type EncodedReplyIndex,
  findReplySeq,
  leaseName,
  sessionNameOf,
  updateLease,
} from './sessions/event-replies.ts'
import { clampToClock, type SessionLookup, sessionExpiryOf } from './sessions/session-table.ts'
import { UnsavedSessions } from './sessions/unsaved-sessions.ts'
import { BusyRetry, readMeta, runTransaction } from './sqlite/driver.ts'
import type {
  ChainLink,
  LoadedSession,
  RecordQuery,
  SessionContext,
  SessionKey,
  Store,
  StoredRecord,
  StoreStep,
  UpdateLease,
} from './store.ts'

/** Stores sessions and the audit log in one SQLite database. */
export class SqliteStore implements Store {
  private readonly connection: Connection
  private readonly patience: BusyRetry
  /** The reply index that `rootOf` read, valid for one call of `recall`: callers use `recall` right after `rootOf`. */
  private glanced: { readonly name: string; readonly given: EncodedReplyIndex } | undefined

  /** `since`: when the event arrived. On a shared connection, the time an event waits for others counts from its arrival. */
  constructor(at: string | Connection, { since, ...options }: ConnectionOptions & { readonly since?: number } = {}) {
    this.connection = typeof at === 'string' ? new Connection(at, options) : at
    this.patience = new BusyRetry(since)
  }

  get notices(): readonly string[] {
    return this.connection.notices
  }

  takeNotices(): readonly string[] {
    return this.connection.takeNotices()
  }

  rootOf(key: SessionKey): string | undefined {
    return this.use(({ sessions, memory }) => {
      const name = sessionNameOf(key)
      const cached = memory?.peek(name)
      const seen = cached ? { root: cached.session.root, given: cached.given } : sessions.peek(name)
      this.glanced = { name, given: seen?.given ?? '' }
      return seen?.root ?? this.connection.unsaved?.rootOf(name)
    })
  }

  recall(key: SessionKey, identity: string): Json | undefined {
    return this.use(({ sessions, audit }) => {
      const name = sessionNameOf(key)
      const { glanced } = this
      this.glanced = undefined
      return findReply(audit, glanced?.name === name ? glanced.given : (sessions.peek(name)?.given ?? ''), identity)
    })
  }

  transact<T>(
    key: SessionKey,
    context: SessionContext,
    work: (loaded: LoadedSession) => StoreStep<T>,
    ahead = false,
  ): T {
    const step = (database: Database): { readonly result: T; readonly written: CommitResult | undefined } => {
      const done = ahead ? this.workedAhead(database, key, context, work) : work
      const { spool } = this.connection
      const spooled = existsSync(spool.folder) ? spool.waiting() : []
      const { result, head } = commitOrForget(database, () => this.step(database, key, { ...context, spooled }, done))
      return { result, written: { head, spooled } }
    }
    const { result, written } = this.use(step, (database, why) => ({
      result: this.unwrittenStep(database, key, context, work, why),
      written: undefined,
    }))
    if (written) this.connection.written(written)
    return result
  }

  /** Runs `work` on a state that cannot be written. A process that stays keeps the result in memory until it can be written. */
  private unwrittenStep<T>(
    { sessions }: Database,
    key: SessionKey,
    context: SessionContext,
    work: (loaded: LoadedSession) => StoreStep<T>,
    why: string,
  ): T {
    const { unwritten, unsaved, options } = this.connection
    const name = sessionNameOf(key)
    const found = sessions.look(name, key, context)
    const session = clampToClock(unsaved?.over(name, found) ?? found.session, context.now)
    const unwritable = { why, isUnannounced: () => unwritten.isUnannounced(name) }
    const step = work({ ...found, session, unwritable, recall: () => undefined })
    unwritten.note(context.now)
    if (step.session && options.stays) {
      this.connection.unsaved ??= new UnsavedSessions()
      this.connection.unsaved.keep({ name, key, at: context, found, session: step.session })
    }
    return step.result
  }

  claim(key: SessionKey, identity: string, change?: UpdateLease): JsonObject | undefined {
    const name = leaseName(key, identity)
    const read = ({ driver }: Database) => readMeta(driver, name)
    if (!change) return this.use(read)
    return this.use(
      ({ driver }) => runTransaction(driver, () => updateLease(driver, name, change)),
      () => undefined,
    )
  }

  records(query: RecordQuery): readonly StoredRecord[] {
    return this.use(({ driver }) => readRecords(driver, query))
  }

  close(): void {
    this.connection.close()
  }

  /** Runs `work` before taking the lock. The step uses this result if the session is unchanged, and runs `work` again otherwise. */
  private workedAhead<T>(
    database: Database,
    key: SessionKey,
    context: SessionContext,
    work: (loaded: LoadedSession) => StoreStep<T>,
  ): (loaded: LoadedSession & SessionLookup) => StoreStep<T> {
    const { audit, sessions } = database
    const found = sessions.look(sessionNameOf(key), key, context)
    // the step itself resets and reports damaged state
    if (found.damaged.length > 0) return work
    const session = clampToClock(found.session, context.now)
    const step = work({ ...found, session, recall: identity => findReply(audit, found.given, identity) })
    const before = fingerprintOf({ ...found, session })
    return loaded => (fingerprintOf(loaded) === before ? step : work(loaded))
  }

  private step<T>(
    database: Database,
    key: SessionKey,
    context: SessionContext & { readonly spooled: readonly string[] },
    work: (loaded: LoadedSession & SessionLookup) => StoreStep<T>,
  ): { readonly result: T; readonly head: ChainLink | undefined } {
    const { driver, audit, sessions, memory } = database
    const { now, spooled } = context
    const name = sessionNameOf(key)
    this.saveUnsaved(database, now)
    const stored = memory?.find(name) ?? sessions.load(name, key, context)
    const found = { ...stored, session: clampToClock(stored.session, now) }
    const damages = found.damaged.map(what => `stored state was damaged and has been reset: ${what}`)
    this.connection.notice(...damages)
    const { answer, result, ...step } = work({ ...found, recall: identity => findReply(audit, found.given, identity) })
    const records = [
      ...(this.connection.unwritten.isNone ? [] : this.connection.unwritten.record(now)),
      ...(spooled.length > 0 ? this.connection.spool.join(driver, spooled, now) : []),
      ...damages.map(note => createStoreRecord('session.reset', now, note)),
      ...step.records,
    ]
    const before = found.head ?? audit.head()
    const after = audit.append(records, before, answer?.reply)
    const given = answer ? addReply(found.given, answer.identity, after.seq) : found.given
    const session = step.session ?? found.session
    const saves = step.session !== undefined || answer !== undefined
    const isForOthers = saves && sessions.save(name, key, { session, given }, stored, context)
    if (isForOthers) memory?.forget()
    if (saves) memory?.keep(name, { ...found, session, given, known: true, damaged: [] }, sessionExpiryOf(context))
    const head = isRetentionDue(before, after) ? this.swept(database, context) : after
    if (after === before) return { result, head: undefined }
    this.connection.announce(head, before, found.head !== undefined)
    memory?.endAt(head)
    return { result, head }
  }

  /** Saves pending states of all sessions, so that no step overtakes an earlier step of another session or is undone by it. */
  private saveUnsaved({ sessions, memory }: Database, now: number): void {
    const { unsaved } = this.connection
    if (!unsaved) return
    memory?.forget()
    for (const { name, key, at } of unsaved.all()) {
      const found = sessions.look(name, key, at)
      if (found.damaged.length > 0) continue
      const after = { session: unsaved.over(name, found), given: found.given }
      sessions.save(name, key, after, found, { ...at, now: Math.max(at.now, now) })
    }
  }

  private swept({ driver, audit, memory }: Database, { now, keeps }: SessionContext): ChainLink {
    memory?.sweep(now)
    const limits = this.connection.options.limits ?? { ...DEFAULT_RETENTION, ...keeps }
    return applyRetention(driver, audit, now, limits, () => readExportPositions(this.connection.folder))
  }

  protected use<T>(work: (database: Database) => T, look: (database: Database, why: string) => T = work): T {
    return this.connection.use(this.patience, work, look)
  }
}

const fingerprintOf = ({ session, restarted, given }: SessionLookup): string =>
  JSON.stringify([session, restarted, given])

/** If the transaction fails, the cached sessions are dropped: their changes were rolled back. */
function commitOrForget<T>({ driver, memory }: Database, work: () => T): T {
  try {
    return runTransaction(driver, work)
  } catch (error) {
    memory?.forget()
    throw error
  }
}

function findReply(audit: AuditLog, given: EncodedReplyIndex, identity: string): Json | undefined {
  const seq = findReplySeq(given, identity)
  return seq === undefined ? undefined : audit.replyBeside(seq)
}
