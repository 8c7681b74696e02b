import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clientById } from '../clients/index.ts'
import { type AuditRecord, isOfAgent, SqliteStore } from '../store/index.ts'
import { type Asks, gapsIn, recollected } from '../trial/index.ts'
import { keyOf, type Moment, type Over } from './past.ts'

/** What is read at once lives until all of it is played: more of it is copied about more often. */
const PAGE = 250

/** Nothing is on record for who has no store; none is made for looking. */
export const hasTrail = (state: string): boolean => existsSync(join(state, 'signalbox.db'))

/** The audit trail, in its order: events as far as their records tell of them. */
export function* trail(state: string, asks: Asks): Generator<Moment | Over> {
  const store = new SqliteStore(state)
  try {
    for (let after = 0; ; ) {
      const page = store.records({ after, most: PAGE })
      for (const { record } of page) yield* momentOf(record, asks)
      const last = page.at(-1)
      if (!last) return
      after = last.seq
    }
  } finally {
    store.close()
  }
}

/** What Signalbox says of itself is no event of an agent, and a canary is nobody's. */
function* momentOf(record: AuditRecord, asks: Asks): Generator<Moment | Over> {
  const client = clientById(record.client)
  if (!client || record.policy === '' || !isOfAgent(record)) return
  const warned = record.matches.some(one => one.effect === 'warn')
  const gaps = gapsIn(record, asks)
  // one that does not say where it was is judged as if here
  const event = Object.assign(recollected(record), record.root ? { cwd: record.root } : {})
  yield { at: record.at, client, events: [event], answered: { decision: record.decision, warned }, gaps }
  if (record.event === 'session.end') yield { over: keyOf(record) }
}
