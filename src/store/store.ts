import type { Record, Session } from '../core/index.ts'

/** What a session is kept under: two clients may give the same id. */
export interface SessionKey {
  readonly client: string
  readonly session: string
}

export interface Step<T> {
  readonly session: Session
  readonly records: readonly Record[]
  readonly result: T
}

/** Sessions and the audit trail. Both change in the same step, or neither does. */
export interface Store {
  /** the project root a session was pinned to, if it is known */
  rootOf(key: SessionKey): string | undefined
  /** Load, work, save and record as one step; no other process gets in between. `work` must not do anything slow. */
  transact<T>(key: SessionKey, root: string, now: number, work: (session: Session) => Step<T>): T
  /** things the person should know of: state that was damaged and set aside */
  readonly notices: readonly string[]
}
