import { latencyOf } from '../histogram.ts'
import type { Period } from '../period.ts'
import { type ProjectScope, scopeClause } from '../scope.ts'
import type { StatsDatabase } from '../store/stats-database.ts'
import { HOUR_MS } from '../time.ts'
import type { CallSeries } from './call-series.ts'
import { addPackedSums, type EventSums, emptySums, latencyBucketsOf } from './sums.ts'

/** The 95th percentile of the latency for each part of a series; null if nothing was measured. */
export function readLatencySeries(
  { driver }: StatsDatabase,
  { at }: CallSeries,
  { to, project }: Period & { readonly project: ProjectScope },
): readonly (number | null)[] {
  const { sql, values } = scopeClause(project)
  const rows = driver
    .prepare(`SELECT hour, own FROM hours WHERE hour >= ? AND hour < ?${sql} ORDER BY hour`)
    .all(Math.floor((at[0] ?? to) / HOUR_MS), Math.ceil(to / HOUR_MS), ...values)
  const parts = at.map((): EventSums => emptySums())
  let nth = 0
  for (const { hour, own } of rows) {
    while ((at[nth + 1] ?? Number.POSITIVE_INFINITY) <= Number(hour) * HOUR_MS) nth++
    const part = parts[nth]
    if (part) addPackedSums(part, own)
  }
  return parts.map(sums => latencyOf(latencyBucketsOf(sums)).p95)
}
