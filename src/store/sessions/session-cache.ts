import type { ChainLink } from '../audit-log/chain-head.ts'
import type { SqlDriver, SqlStatement } from '../sqlite/driver.ts'
import type { SessionLookup } from './session-table.ts'

/** Agents that work at the same time. */
const MAX_SESSIONS = 128

/** What this process wrote last, for one that stays. It holds while nobody else has written to the database: SQLite tells. */
export class SessionCache {
  private readonly asked: SqlStatement
  private readonly sessions = new Map<string, { readonly found: SessionLookup; readonly expires: number }>()
  private version: unknown
  /** the end of the audit trail */
  private head: ChainLink | undefined

  constructor(driver: SqlDriver) {
    // another number after every commit of another connection
    this.asked = driver.prepare('PRAGMA data_version')
  }

  /** Of a session that was written once: its project does not change, and what else it says is asked for again in the step. */
  glance(name: string): SessionLookup | undefined {
    return this.sessions.get(name)?.found
  }

  /** Inside a transaction. */
  find(name: string): SessionLookup | undefined {
    const version = this.asked.get()?.data_version
    if (version !== this.version) this.forget()
    this.version = version
    const kept = this.sessions.get(name)
    return kept && this.head ? { ...kept.found, head: this.head } : undefined
  }

  /** At the end of a step that will be committed, or else forgotten. */
  endAt(head: ChainLink): void {
    this.head = head
  }

  keep(name: string, found: SessionLookup, expires: number): void {
    this.sessions.delete(name)
    this.sessions.set(name, { found, expires })
    for (const [oldest] of this.sessions) {
      if (this.sessions.size <= MAX_SESSIONS) break
      this.sessions.delete(oldest)
    }
  }

  /** As the sweeper does. */
  sweep(now: number): void {
    for (const [name, { expires }] of this.sessions) if (expires < now) this.sessions.delete(name)
  }

  forget(): void {
    this.sessions.clear()
    this.head = undefined
  }
}
