import type { EventRecord, Session } from '../engine/index.ts'
import type { Json, JsonObject } from '../lib/json.ts'

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
interface RepeatableReply {
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
  isUnannounced(): boolean | undefined
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
    context: SessionContext,
    work: (loaded: LoadedSession) => StoreStep<T>,
    ahead?: boolean,
  ): T
  /** Returns the lease of an event. With `change`, replaces it atomically; undefined if the lease cannot be written. */
  claim(key: SessionKey, identity: string, change?: UpdateLease): JsonObject | undefined
  /** oldest record first */
  records(query: RecordQuery): readonly StoredRecord[]
  /** messages for the person: for example, that damaged state was quarantined */
  readonly notices: readonly string[]
  /** returns the notices and removes them, for a caller that shows them */
  takeNotices(): readonly string[]
  close(): void
}

/** The sequence number and the hash of a record. */
export interface ChainLink {
  readonly seq: number
  readonly hash: string
}

/** A record of the audit log, with fields that only the runtime and the store know. */
export interface AuditRecord extends EventRecord {
  /** milliseconds from the payload to just before the commit */
  readonly ms?: number
  /** an `allow` list covers every part of the call, and a rule asks for that */
  readonly whitelisted?: true
  /** what kept a rule from denying the call: `token` (an orchestrated task), `env NAME` */
  readonly approvedBy?: readonly string[]
  /** the rules that would have denied it: the gate, a space, the rule */
  readonly approvedRules?: readonly string[]
  /** the project root; absent in the store's own records */
  readonly root?: string
  /** the shell line as typed, if `acts` do not show how its commands are joined; without here-documents; absent if too long */
  readonly line?: string
  /** the line runs in the background */
  readonly background?: true
  /** how the call ended, as its client reports it */
  readonly ended?: 'succeeded' | 'failed' | 'unknown'
  /** only in the store's own records: where the chain begins from now on */
  readonly anchor?: ChainLink
}

export interface StoredRecord extends ChainLink {
  readonly record: AuditRecord
}

/** The latest records, or a page of records after a sequence number. */
export type RecordQuery = { readonly last: number } | { readonly after: number; readonly most: number }

export interface RetentionLimits {
  /** how many days records are kept */
  readonly days: number
  /** maximum size of the database */
  readonly bytes: number
}

export interface ChainProblem {
  readonly seq: number
  readonly problem: string
}

export interface ChainVerification {
  readonly ok: boolean
  readonly records: number
  /** the record after which the chain begins, and the last record */
  readonly from: number
  readonly to: number
  readonly problems: readonly ChainProblem[]
  /** if there are problems: the last record up to which everything is unchanged */
  readonly intactUpTo?: number
  /** if there are no problems: records that were announced and are not there: a process was killed or failed while it wrote, or somebody removed them */
  readonly announcedButMissing?: readonly number[]
}

/** The right of one process to answer an event. It expires at `until`. */
interface EventLease extends JsonObject {
  until: number
}

export type UpdateLease = (claim: JsonObject | undefined) => EventLease | undefined
