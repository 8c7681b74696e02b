import type { Gate } from '../../engine/index.ts'
import { ERROR_PERCENT } from './histogram.ts'
import type { Period } from './period.ts'
import { type CallSeries, callSeriesOf } from './read/call-series.ts'
import { type EventNumbers, eventNumbersOf } from './read/event-numbers.ts'
import { type GateRow, gateRows } from './read/gate-rows.ts'
import {
  countUnplacedEvents,
  firstCountedHour,
  hasSubprojects,
  readLastFired,
  readStats,
  type StatsQuery,
} from './read/read-stats.ts'
import { isAlwaysOverridden, isSilentRule, type RuleRow, ruleRows } from './read/rule-rows.ts'
import { sumsOfCounters } from './read/sums.ts'
import type { StatsDatabase } from './store/stats-database.ts'

export const STATS_GROUPINGS = ['gate', 'rule', 'route', 'client', 'session'] as const
export type StatsGrouping = (typeof STATS_GROUPINGS)[number]

export interface GroupRow extends EventNumbers {
  /** a client, or a client and a session */
  readonly group: string
}

/** The output of `signalbox stats --json`. Times are milliseconds since 1970. */
export interface StatsSummary {
  /** null: all projects */
  readonly project: string | null
  readonly period: Period
  /** time of the first counted hour; null if nothing is counted */
  readonly since: number | null
  readonly sessions: number
  readonly totals: EventNumbers
  readonly series: CallSeries
  readonly gates: readonly GateRow[]
  readonly by: StatsGrouping
  readonly rules: readonly RuleRow[]
  readonly groups: readonly GroupRow[]
  readonly unmatched: readonly RuleRow[]
  readonly overridden: readonly RuleRow[]
  readonly counted: {
    /** number of the last counted record */
    readonly lastRecord: number
    /** removed before they were counted */
    readonly removedRecords: number
    /** cannot be parsed */
    readonly unreadableRecords: number
    /** if a project is requested: events of the period whose project is unknown */
    readonly eventsWithoutProject: number
    /** of these, events with an error, such as a hook called wrongly */
    readonly errorsWithoutProject: number
    /** percentiles are never too low, and at most this many percent too high */
    readonly latencyErrorPercent: number
  }
}

export interface SummaryQuery extends StatsQuery {
  readonly by: StatsGrouping
  /** all gates in force here, including built-in ones */
  readonly policy: readonly Gate[]
  /** also list built-in gates that did not fire */
  readonly all?: boolean
}

export function summarizeStats(book: StatsDatabase, query: SummaryQuery): StatsSummary {
  const { by, policy, all, from, to, project, client, session } = query
  const found = readStats(book, { ...query, groupBy: by === 'client' || by === 'session' ? by : undefined })
  const { missed = 0, unreadable = 0, seq = 0 } = book.position ?? {}
  const since = firstCountedHour(book, project)
  const isHere = project !== undefined && session === undefined
  // A rule without matches for one client or session is not listed as unmatched: it may match for others.
  const isWhole = isHere && client === undefined
  const isOnlyHere = isHere && policy.length > 0 && !hasSubprojects(book, project)
  const own = isHere ? policy.filter(gate => all || gate.layer !== 'built-in').map(gate => gate.id) : []
  const isListed = ({ gate, fired }: { readonly gate: string; readonly fired: number }) =>
    fired > 0 || own.includes(gate)
  const gates = gateRows(found, policy, isOnlyHere).filter(
    row => isListed(row) || row.latencyMs.count > 0 || row.errors > 0,
  )
  const stray = project === undefined ? { events: 0, errors: 0 } : countUnplacedEvents(book, query)
  const rules = ruleRows(found, policy, readLastFired(book, query), isOnlyHere).filter(isListed)
  return {
    project: project ?? null,
    period: { from, to },
    since: since ?? null,
    sessions: found.sessions,
    totals: eventNumbersOf(sumsOfCounters(found.counts)),
    series: callSeriesOf(found.hours, { from: Math.max(from, Math.min(since ?? from, to)), to }),
    gates,
    by,
    rules: by === 'rule' || by === 'route' ? rules.filter(({ kind }) => by === 'rule' || kind === 'route') : [],
    groups: [...found.groups]
      .map(([group, sums]) => ({ group, ...eventNumbersOf(sums) }))
      .sort((a, b) => b.denied - a.denied || b.invocations - a.invocations || (a.group < b.group ? -1 : 1)),
    unmatched: isWhole ? rules.filter(isSilentRule) : [],
    overridden: isWhole ? rules.filter(isAlwaysOverridden) : [],
    counted: {
      lastRecord: seq,
      ...{ removedRecords: missed, unreadableRecords: unreadable },
      ...{ eventsWithoutProject: stray.events, errorsWithoutProject: stray.errors },
      latencyErrorPercent: ERROR_PERCENT,
    },
  }
}
