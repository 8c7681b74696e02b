import { type ParsedRecord, parseRecord } from '../../../audit/index.ts'
import type { AuditLogReader } from '../../../store/index.ts'
import type { DecisionDetail } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import type { DashboardBackend, EarlierGateMoves, RecordedDecision } from '../backend.ts'
import { laneNameOf } from '../records/agent-lanes.ts'
import { decisionRowOf } from '../records/decision-row.ts'
import { gatePastOf } from '../records/gate-past.ts'
import { scanBackwards } from '../records/scan.ts'
import { notFoundError } from '../server/http-error.ts'
import { policyGatesOf } from './overview.ts'
import { findSession } from './sessions.ts'
import { sessionMatcher } from './timeline.ts'

const SEARCH_MS = 500
const MAX_DISTANCE = 2000

/** One decision and its explanation, as in `signalbox explain N`. */
export function decisionDetail(archive: DashboardRecords, backend: DashboardBackend, n: number): DecisionDetail {
  const {
    found,
    callerName,
    root = backend.folder,
    earlier,
    later,
  } = readArchive(archive, auditLog => {
    const record = recordAt(auditLog, n)
    const { client, session } = record.record
    const known = archive.rootOf()(client, session) ?? record.record.root
    const sums = findSession(archive, auditLog, record.record)
    return {
      found: record,
      callerName: laneNameOf(record.record, sums?.agents),
      root: known ?? sums?.root ?? undefined,
      earlier: previousInSession(archive, auditLog, record),
      later: nextInSession(auditLog, record),
    }
  })
  const before = pastOfRecord(archive, backend, found, root)
  return {
    ...{
      row: decisionRowOf(found),
      callerName,
      hash: found.hash,
      record: found.record,
      ...backend.explain(found, before, root),
    },
    ...{ earlier, later },
  }
}

/** A recorded decision for the playground. */
export function recordedDecisionAt(
  archive: DashboardRecords,
  backend: DashboardBackend,
  n: number,
): RecordedDecision & { readonly root: string | undefined } {
  const { found, root } = readArchive(archive, auditLog => {
    const record = recordAt(auditLog, n)
    return { found: record, root: archive.rootOf()(record.record.client, record.record.session) ?? record.record.root }
  })
  return { found, root, before: pastOfRecord(archive, backend, found, root ?? backend.folder) }
}

function readArchive<T>(archive: DashboardRecords, work: (auditLog: AuditLogReader) => T): T {
  const result = archive.read(work)
  if (result === undefined) throw notFoundError('nothing is recorded yet')
  return result
}

/** The records that moved the gates of the project. Empty if the policy cannot be read. */
function pastOfRecord(
  archive: DashboardRecords,
  backend: DashboardBackend,
  found: ParsedRecord,
  root: string,
): EarlierGateMoves {
  const { gates } = policyGatesOf(backend, root)
  return readArchive(archive, auditLog => gatePastOf(archive, auditLog, found, gates))
}

function recordAt(auditLog: AuditLogReader, n: number): ParsedRecord {
  const [raw] = auditLog.after(n - 1, 1)
  const found = raw?.seq === n ? parseRecord(raw) : undefined
  if (raw?.seq !== n) throw notFoundError(`no record ${n}`)
  if (!found) throw notFoundError(`record ${n} cannot be read; \`signalbox audit verify\` shows why`)
  return found
}

function previousInSession(
  archive: DashboardRecords,
  auditLog: AuditLogReader,
  { seq, record }: ParsedRecord,
): number | null {
  const how = { before: seq, most: 1, ms: SEARCH_MS }
  return scanBackwards(auditLog, archive.lookup(), sessionMatcher(record), how).found[0]?.seq ?? null
}

/** The next record of the same session, searched only within `MAX_DISTANCE`. */
function nextInSession(auditLog: AuditLogReader, { seq, record }: ParsedRecord): number | null {
  const { couldBe, is } = sessionMatcher(record)
  for (const raw of auditLog.after(seq, MAX_DISTANCE)) {
    const found = couldBe(raw.json) ? parseRecord(raw) : undefined
    if (found && is(found)) return found.seq
  }
  return null
}
