import type { SqlDriver, SqlStatement } from '../sqlite/driver.ts'
import type { ChainLink } from '../store.ts'
import type { SessionLookup } from './session-table.ts'

/** Sessions of agents that work at the same time. */
const MAX_SESSIONS = 128

/** The sessions that this process wrote last. Valid until another connection writes to the database, which `data_version` shows. */
export class SessionCache {
  private readonly query: SqlStatement
  private readonly sessions = new Map<string, { readonly found: SessionLookup; readonly expires: number }>()
  private version: unknown
  /** the head of the audit log */
  private head: ChainLink | undefined

  constructor(driver: SqlDriver) {
    // changes after every commit of another connection
    this.query = driver.prepare('PRAGMA data_version')
  }

  /** Reads without a transaction. The project root of a session never changes; the step reads everything else again. */
  peek(name: string): SessionLookup | undefined {
    return this.sessions.get(name)?.found
  }

  /** Call inside a transaction. */
  find(name: string): SessionLookup | undefined {
    const version = this.query.get()?.data_version
    if (version !== this.version) this.forget()
    this.version = version
    const cached = this.sessions.get(name)
    return cached && this.head ? { ...cached.found, head: this.head } : undefined
  }

  /** Called at the end of a step. If its commit fails, `forget` is called. */
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

  /** Removes expired sessions, as retention does in the database. */
  sweep(now: number): void {
    for (const [name, { expires }] of this.sessions) if (expires < now) this.sessions.delete(name)
  }

  forget(): void {
    this.sessions.clear()
    this.head = undefined
  }
}
