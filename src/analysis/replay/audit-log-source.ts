import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clientById } from '../../clients/index.ts'
import { type AuditRecord, isAgentRecord, SqliteStore } from '../../store/index.ts'
import { eventFromRecord, findRecordGaps, type PolicyDataNeeds } from '../policy-test/index.ts'
import { type SessionEnd, sessionKey, type TimelineEntry } from './transcripts/timeline.ts'

/** What is read at once lives until all of it is played: more of it is copied about more often. */
const PAGE_SIZE = 250

/** Nothing is on record for who has no store; none is made for looking. */
export const hasAuditLog = (state: string): boolean => existsSync(join(state, 'signalbox.db'))

/** The audit trail, in its order: events as far as their records tell of them. */
export function* readAuditLog(state: string, asks: PolicyDataNeeds): Generator<TimelineEntry | SessionEnd> {
  const store = new SqliteStore(state)
  try {
    for (let after = 0; ; ) {
      const page = store.records({ after, most: PAGE_SIZE })
      for (const { record } of page) yield* toTimelineEntries(record, asks)
      const last = page.at(-1)
      if (!last) return
      after = last.seq
    }
  } finally {
    store.close()
  }
}

/** What Signalbox says of itself is no event of an agent, and a canary is nobody's. */
function* toTimelineEntries(record: AuditRecord, asks: PolicyDataNeeds): Generator<TimelineEntry | SessionEnd> {
  const client = clientById(record.client)
  if (!client || record.policy === '' || !isAgentRecord(record)) return
  const warned = record.matches.some(one => one.effect === 'warn')
  const gaps = findRecordGaps(record, asks)
  // one that does not say where it was is judged as if here
  const event = Object.assign(eventFromRecord(record), record.root ? { cwd: record.root } : {})
  yield { at: record.at, client, events: [event], answered: { decision: record.decision, warned }, gaps }
  if (record.event === 'session.end') yield { over: sessionKey(record) }
}
