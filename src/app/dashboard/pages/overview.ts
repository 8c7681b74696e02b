import {
  countStopsByDay,
  type GateRow,
  parsePeriod,
  readLatencySeries,
  readStops,
  type StatsDatabase,
  summarizeStats,
} from '../../../audit/stats/index.ts'
import type { Gate } from '../../../engine/index.ts'
import { messageOf } from '../../../lib/errors.ts'
import { type AuditLogReader, redactRoot } from '../../../store/index.ts'
import type { GateStatistics, Overview } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import type { DashboardBackend } from '../backend.ts'
import { isNoLongerStuck } from '../records/stuck-sessions.ts'
import { HttpError } from '../server/http-error.ts'
import type { QueryParameters } from '../server/query.ts'
import { listProjects } from './projects.ts'

const COUNT_MS = 60
const MAX_TOP = 12
const MAX_STUCK = 50
const DAYS = 7
/** an agent denied longer ago has moved on or stopped */
const STUCK_MS = 3_600_000

export function buildOverview(
  archive: DashboardRecords,
  backend: DashboardBackend,
  root: string,
  query: QueryParameters,
): Overview {
  const { gates, problem } = policyGatesOf(backend, root)
  const period = parsePeriodQuery(query)
  const project = redactRoot(root)
  const countsFrom = (auditLog: AuditLogReader | undefined) =>
    archive.book(auditLog, COUNT_MS, book => {
      const {
        counted,
        rules,
        by: _,
        groups: __,
        ...summary
      } = summarizeStats(book, { ...period, by: 'rule', policy: gates, project })
      const top = rules.filter(({ fired }) => fired > 0).sort((a, b) => b.fired - a.fired)
      return {
        ...summary,
        p95: readLatencySeries(book, summary.series, { ...period, project }),
        top: top.slice(0, MAX_TOP),
        gates: withWeekCounts(book, summary.gates, project),
        stuck: stuckSessionsNow(archive, backend, auditLog, book),
        counted: {
          upTo: counted.lastRecord,
          of: auditLog?.last() ?? 0,
          latencyErrorPercent: counted.latencyErrorPercent,
        },
        strayErrors: counted.errorsWithoutProject,
        ...(problem !== undefined && { problem }),
      }
    })
  return archive.read(countsFrom) ?? countsFrom(undefined)
}

/** Stuck agents in all projects, because they wait for a person. Ends with the session, when the agent goes on, when the gate blocks no more, or after `STUCK_MS`. */
function stuckSessionsNow(
  archive: DashboardRecords,
  backend: DashboardBackend,
  auditLog: AuditLogReader | undefined,
  book: StatsDatabase,
): Overview['stuck'] {
  if (!auditLog) return []
  const roots = listProjects(archive).map(({ root }) => root)
  const now = Date.now()
  const found = readStops(book, { from: now - 2 * STUCK_MS, to: now, most: MAX_STUCK, stuck: true })
  const fresh = found.filter(({ last }) => last > now - STUCK_MS)
  const stuck = fresh.filter(stop => !isNoLongerStuck(archive, auditLog, stop))
  const located = stuck.map(stop => ({
    ...stop,
    // the recorded project path may be redacted
    ...(stop.project !== undefined && {
      project: roots.find(root => redactRoot(root) === stop.project) ?? stop.project,
    }),
  }))
  return located.filter(({ project, gate }) => project === undefined || !isGateRelaxed(backend, project, gate))
}

/** Somebody has changed the mode since: the gate denies no call any more. */
const isGateRelaxed = (backend: DashboardBackend, root: string, gate: string): boolean =>
  policyGatesOf(backend, root).gates.some(({ id, mode }) => id === gate && mode !== 'block')

export function parsePeriodQuery(query: QueryParameters) {
  const period = parsePeriod(query.text('since'), query.text('until'), Date.now())
  if (typeof period === 'string') throw new HttpError(400, period.replace(/`--(since|until) /g, '`$1='))
  return period
}

/** Statistics work without a policy, so a load error is returned as a note. */
export function policyGatesOf(
  backend: DashboardBackend,
  root: string,
): { readonly gates: readonly Gate[]; readonly problem?: string | undefined } {
  try {
    return { gates: backend.open(root).policy.program.gates }
  } catch (error) {
    return { gates: [], problem: `the policy here cannot be loaded: ${messageOf(error)}` }
  }
}

/** Adds how often each gate stopped an agent on each of the last seven local days (today last). */
export function withWeekCounts(
  book: StatsDatabase,
  rows: readonly GateRow[],
  project: string,
): readonly GateStatistics[] {
  const today = new Date()
  const days = Array.from({ length: DAYS }, (_, nth) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - (DAYS - 1 - nth)).getTime(),
  )
  const found = countStopsByDay(book, days, project)
  return rows.map(row => ({ ...row, week: found.get(row.gate) ?? days.map(() => 0) }))
}
