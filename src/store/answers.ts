import type { Json } from '../pattern/index.ts'
import { sha256 } from './digest.ts'
import type { Driver, Statement } from './driver.ts'
import type { Answer } from './store.ts'

/** Replies that were given, for events that come twice. They are swept away after a while: see `retention.ts`. */
export class Answers {
  private readonly one: Statement
  private readonly put: Statement

  constructor(driver: Driver) {
    this.one = driver.prepare('SELECT reply FROM answers WHERE session = ? AND identity = ?')
    this.put = driver.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)')
  }

  recall(session: string, identity: string): Json | undefined {
    const row = this.one.get(session, nameOf(identity))
    return row ? JSON.parse(String(row.reply)) : undefined
  }

  remember(session: string, { identity, reply }: Answer, now: number): void {
    this.put.run(session, nameOf(identity), JSON.stringify(reply), now)
  }
}

/** An identity holds the event's own words, which may be long, or secret. */
const nameOf = (identity: string): string => sha256(identity)
