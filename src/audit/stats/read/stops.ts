import type { SqlRow } from '../../../store/index.ts'
import { type ProjectScope, scopeClause } from '../scope.ts'
import type { StatsDatabase } from '../store/stats-database.ts'
import { HOUR_MS, hourOf } from '../time.ts'
import { STUCK_TRIES } from './stop.ts'

/** A stored stop. */
export interface StoppedCall {
  /** the root folder; absent if unknown */
  readonly project?: string
  readonly client: string
  readonly session: string
  readonly gate: string
  readonly rule: string
  readonly at: number
  readonly last: number
  readonly tries: number
  /** null: not resolved, or unknown */
  readonly outcome: 'fixed' | 'bypassed' | null
}

const STOP_COLUMNS = 'project, client, session, gate, rule, at, last, tries, outcome'

/** Stops of a gate or session, or only stuck ones, latest first. Selects by the hour in which they began, which is indexed. */
export function readStops(
  { driver }: StatsDatabase,
  query: {
    readonly from: number
    readonly to: number
    readonly most: number
    readonly project?: ProjectScope
    readonly gate?: string
    readonly key?: { readonly client: string; readonly session: string }
    readonly stuck?: boolean
  },
): readonly StoppedCall[] {
  const { from, to, most, project, gate, key, stuck } = query
  const scope = scopeClause(project)
  const where =
    [
      'hour >= ? AND hour <= ?',
      ...(gate === undefined ? [] : ['gate = ?']),
      ...(key === undefined ? [] : ['client = ? AND session = ?']),
      ...(stuck ? [`outcome IS NULL AND tries >= ${STUCK_TRIES}`] : []),
    ].join(' AND ') + scope.sql
  const values = [
    ...[hourOf(from), hourOf(to)],
    ...(gate === undefined ? [] : [gate]),
    ...(key === undefined ? [] : [key.client, key.session]),
    ...scope.values,
  ]
  return driver
    .prepare(`SELECT ${STOP_COLUMNS} FROM stops WHERE ${where} ORDER BY hour DESC, last DESC LIMIT ?`)
    .all(...values, most)
    .map(toStoppedCall)
}

const toStoppedCall = ({ project, client, session, gate, rule, at, last, tries, outcome }: SqlRow): StoppedCall => ({
  ...(project !== '' && { project: String(project) }),
  ...{ client: String(client), session: String(session), gate: String(gate), rule: String(rule) },
  ...{ at: Number(at), last: Number(last), tries: Number(tries) },
  outcome: outcome === 'fixed' || outcome === 'bypassed' ? outcome : null,
})

/** How often each gate stopped an agent on each day. `days` are start times in order; the last day has no end. */
export function countStopsByDay(
  { driver }: StatsDatabase,
  days: readonly number[],
  project: ProjectScope,
): ReadonlyMap<string, readonly number[]> {
  const { sql, values } = scopeClause(project)
  const [first = 0] = days
  const found = new Map<string, number[]>()
  const rows = driver
    .prepare(`SELECT gate, hour, count(*) AS n FROM stops WHERE hour >= ?${sql} GROUP BY gate, hour`)
    .all(hourOf(first), ...values)
  for (const { gate, hour, n } of rows) {
    const day = days.findLastIndex(begin => begin <= Number(hour) * HOUR_MS)
    const own = found.get(String(gate)) ?? days.map(() => 0)
    found.set(String(gate), own)
    own[Math.max(0, day)] = (own[Math.max(0, day)] ?? 0) + Number(n)
  }
  return found
}
