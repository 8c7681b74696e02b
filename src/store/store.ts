import type { Session } from '../engine/index.ts'
import type { Json, JsonObject } from '../lib/json.ts'
import type { AuditRecord, RecordQuery, StoredRecord } from './audit-log/audit-log.ts'
import type { RetentionLimits } from './audit-log/retention.ts'
import type { ChainVerification } from './audit-log/verify-chain.ts'
import type { UpdateLease } from './event-leases.ts'
import type { JournalMode } from './sqlite/journal-mode.ts'

/** What a session is kept under: two clients may give the same id. */
export interface SessionKey {
  readonly client: string
  readonly session: string
}

export interface SessionContext {
  /** the project: pinned to a session that is new */
  readonly root: string
  readonly now: number
  /** hours a silent session is kept */
  readonly expiryHours: number
  /** how long and how much of the trail, where the policy says so */
  readonly keeps?: Partial<RetentionLimits> | undefined
}

/** The reply to an event that may come again. */
export interface RepeatableReply {
  readonly identity: string
  readonly reply: Json
}

export interface LoadedSession {
  readonly session: Session
  /** this session's state was lost: what its gates had seen is not known */
  readonly restarted: boolean
  /** nothing of the step is kept: the state cannot be written */
  readonly unwritable?: UnwritableState
  /** the reply that was given to the same event, if it came before */
  recall(identity: string): Json | undefined
}

export interface UnwritableState {
  readonly why: string
  /** Asked by who can say it: is it news to this session? Undefined: nobody can keep that it was said. */
  isNews(): boolean | undefined
}

export interface StoreStep<T> {
  /** absent: nothing changes */
  readonly session?: Session
  readonly records: readonly AuditRecord[]
  /** kept beside the last record */
  readonly answer?: RepeatableReply
  readonly result: T
}

/** Sessions and the audit trail. Both change in the same step, or neither does. */
export interface Store {
  /** the project root a session was pinned to, if it is known */
  rootOf(key: SessionKey): string | undefined
  /** As in a step, but before one: so that nothing slow is done for an event that was answered. */
  recall(key: SessionKey, identity: string): Json | undefined
  /**
   * Load, work, save and record as one step; no other process gets in between. `work` must not do anything slow: what is, is
   * worked `ahead`, while nobody waits for it, and again only if the session has changed since. Where the state can be read and not
   * written, the work is done on the state as it was last, and nothing of it is kept but in the memory of a process that stays.
   */
  transact<T>(
    key: SessionKey,
    circumstances: SessionContext,
    work: (loaded: LoadedSession) => StoreStep<T>,
    ahead?: boolean,
  ): T
  /** Who answers an event just now; with `change`, and nobody in between, who does from now on: nobody, where that cannot be written. */
  claim(key: SessionKey, identity: string, change?: UpdateLease): JsonObject | undefined
  /** oldest first */
  records(query: RecordQuery): readonly StoredRecord[]
  /** whether the audit trail is whole */
  verify(): ChainVerification
  /** `delete` (a rollback journal) where a write-ahead log would not hold */
  readonly journal: JournalMode
  /** things the person should know of: state that was damaged and set aside */
  readonly notices: readonly string[]
  /** the same, for whoever has told them: they are not told again */
  takeNotices(): readonly string[]
  close(): void
}
