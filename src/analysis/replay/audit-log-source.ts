import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clientById } from '../../clients/index.ts'
import { type AuditRecord, isAgentRecord, SqliteStore } from '../../store/index.ts'
import { eventFromRecord, findRecordGaps, type PolicyDataNeeds } from '../simulator/index.ts'
import { type SessionEnd, sessionKey, type TimelineEntry } from './transcripts/timeline.ts'

/** Small, because the records of a page stay alive until all are played, and that slows garbage collection. */
const PAGE_SIZE = 250

/** Checks for the database first: opening the store would create it. */
export const hasAuditLog = (state: string): boolean => existsSync(join(state, 'signalbox.db'))

/** Reads the audit log in order, as events rebuilt from their records. */
export function* readAuditLog(state: string, needs: PolicyDataNeeds): Generator<TimelineEntry | SessionEnd> {
  const store = new SqliteStore(state)
  try {
    for (let after = 0; ; ) {
      const page = store.records({ after, most: PAGE_SIZE })
      for (const { record } of page) yield* toTimelineEntries(record, needs)
      const last = page.at(-1)
      if (!last) return
      after = last.seq
    }
  } finally {
    store.close()
  }
}

/** Skips records about Signalbox itself and of canary calls. */
function* toTimelineEntries(record: AuditRecord, needs: PolicyDataNeeds): Generator<TimelineEntry | SessionEnd> {
  const client = clientById(record.client)
  if (!client || record.policy === '' || !isAgentRecord(record)) return
  const warned = record.matches.some(match => match.effect === 'warn')
  const gaps = findRecordGaps(record, needs)
  // A record without a project is judged as if it came from the current one.
  const event = Object.assign(eventFromRecord(record), record.root ? { cwd: record.root } : {})
  const answered = { decision: record.decision, warned }
  yield { at: record.at, client, events: [event], answered, areCallersKnown: true, gaps }
  if (record.event === 'session.end') yield { over: sessionKey(record) }
}
