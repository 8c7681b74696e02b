import type { Session } from '../engine/index.ts'
import type { Json, JsonObject } from '../lib/json.ts'
import type { AuditRecord, RecordQuery, StoredRecord } from './audit-log/audit-log.ts'
import type { RetentionLimits } from './audit-log/retention.ts'
import type { ChainVerification } from './audit-log/verify-chain.ts'
import type { UpdateLease } from './event-leases.ts'
import type { JournalMode } from './sqlite/journal-mode.ts'

/** Identifies a session. The client is part of it because two clients may use the same session id. */
export interface SessionKey {
  readonly client: string
  readonly session: string
}

export interface SessionContext {
  /** the project root, pinned when the session is created */
  readonly root: string
  readonly now: number
  /** hours until a session without events expires */
  readonly expiryHours: number
  /** how long and how much of the audit log is kept, if the policy says so */
  readonly keeps?: Partial<RetentionLimits> | undefined
}

/** The reply to an event that the client may send again. */
export interface RepeatableReply {
  readonly identity: string
  readonly reply: Json
}

export interface LoadedSession {
  readonly session: Session
  /** the state of this session was lost: what its gates saw before is unknown */
  readonly restarted: boolean
  /** set if the state cannot be written: nothing of the step is stored */
  readonly unwritable?: UnwritableState
  /** the reply already given to the same event, if there is one */
  recall(identity: string): Json | undefined
}

export interface UnwritableState {
  readonly why: string
  /** Whether this session has not been notified yet. Call it only if the notice can be shown. Undefined: that cannot be recorded. */
  isNews(): boolean | undefined
}

export interface StoreStep<T> {
  /** absent: the session does not change */
  readonly session?: Session
  readonly records: readonly AuditRecord[]
  /** stored beside the last record */
  readonly answer?: RepeatableReply
  readonly result: T
}

/** Sessions and the audit log. Both change in the same transaction, or neither does. */
export interface Store {
  /** the project root that a session is pinned to, if known */
  rootOf(key: SessionKey): string | undefined
  /** Like `LoadedSession.recall`, but before the step: nothing slow is done for an event that already has its reply. */
  recall(key: SessionKey, identity: string): Json | undefined
  /**
   * Loads, works, saves and records in one transaction. `work` must be fast, because other processes wait. With `ahead`, `work` runs
   * before the lock is taken, and again only if the session has changed since. If the state can be read but not written, `work` runs on
   * the last state, and only a process that stays keeps the result, in memory.
   */
  transact<T>(
    key: SessionKey,
    circumstances: SessionContext,
    work: (loaded: LoadedSession) => StoreStep<T>,
    ahead?: boolean,
  ): T
  /** Returns the lease of an event. With `change`, replaces it atomically; undefined if the lease cannot be written. */
  claim(key: SessionKey, identity: string, change?: UpdateLease): JsonObject | undefined
  /** oldest record first */
  records(query: RecordQuery): readonly StoredRecord[]
  /** verifies the hash chain of the audit log */
  verify(): ChainVerification
  /** `delete` (a rollback journal) where a write-ahead log is unsafe */
  readonly journal: JournalMode
  /** messages for the person: for example, that damaged state was quarantined */
  readonly notices: readonly string[]
  /** returns the notices and removes them, for a caller that shows them */
  takeNotices(): readonly string[]
  close(): void
}
