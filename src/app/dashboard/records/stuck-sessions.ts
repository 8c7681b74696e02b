import type { AuditLogReader, AuditRecord, SessionKey } from '../../../store/index.ts'
import type { DashboardRecords } from '../archive.ts'
import { unsortedSessionsOf } from '../pages/sessions.ts'
import { sessionMatcher } from '../pages/timeline.ts'
import { scanBackwards } from './scan.ts'
import { isSessionEnd } from './session-end.ts'
import { sessionKeyOf } from './session-sums.ts'

/** After this many allowed calls the agent is doing something else than looking for a way out. */
const MIN_CALLS = 3
const MAX_RECORDS = 50
const SEARCH_MS = 40

/**
 * Whether, since the last denial, the session ended, a person wrote a prompt, or the agent did other things. If the
 * audit log lost the denial, because it was restarted after damage, what followed is unknown.
 */
export function isNoLongerStuck(
  archive: DashboardRecords,
  auditLog: AuditLogReader,
  stop: SessionKey & { readonly last: number },
): boolean {
  const how = { before: Number.MAX_SAFE_INTEGER, most: MAX_RECORDS, ms: SEARCH_MS }
  const { found, before } = scanBackwards(auditLog, archive.lookup(), sessionMatcher(stop), how)
  const since = found.map(({ record }) => record).filter(({ at }) => at >= stop.last)
  if (before === null && since.length === found.length && !since.some(({ at }) => at === stop.last)) return true
  // more records than were read have followed the denial
  if (since.length === found.length && found.length === MAX_RECORDS) return true
  return since.some(isTurnBoundary) || since.filter(isAllowedCall).length >= MIN_CALLS
}

const isTurnBoundary = ({ event }: AuditRecord): boolean => event === 'session.end' || event === 'prompt.submit'

const isAllowedCall = ({ event, decision }: AuditRecord): boolean =>
  event === 'tool.before' && (decision === 'pass' || decision === 'allow')

/** Sessions whose last record is their end. An agent may still resume them. */
export function endedSessionsOf(
  archive: DashboardRecords,
  auditLog: AuditLogReader,
  sessions: readonly SessionKey[],
): ReadonlySet<string> {
  if (sessions.length === 0) return new Set()
  const tail = unsortedSessionsOf(archive, auditLog)
  const isOver = ({ client, session }: SessionKey): boolean => {
    const last = (tail.get(sessionKeyOf({ client, session })) ?? archive.lookup().session(client, session))?.last
    return last !== undefined && isSessionEnd(auditLog, last)
  }
  return new Set(sessions.filter(isOver).map(sessionKeyOf))
}
