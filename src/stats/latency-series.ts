import type { Book } from './book.ts'
import { latencyOf } from './histogram.ts'
import type { Period } from './period.ts'
import { inScope, type Scope } from './scope.ts'
import type { Series } from './series.ts'
import { addPacked, noSums, type Sums, timesIn } from './sums.ts'
import { HOUR_MS } from './time.ts'

/** How long all but the slowest twentieth took, for each part of a series; null: nothing was measured in it. */
export function latencySeries(
  { driver }: Book,
  { at }: Series,
  { to, project }: Period & { readonly project: Scope },
): readonly (number | null)[] {
  const { sql, values } = inScope(project)
  const rows = driver
    .prepare(`SELECT hour, own FROM hours WHERE hour >= ? AND hour < ?${sql} ORDER BY hour`)
    .all(Math.floor((at[0] ?? to) / HOUR_MS), Math.ceil(to / HOUR_MS), ...values)
  const parts = at.map((): Sums => noSums())
  let nth = 0
  for (const { hour, own } of rows) {
    while ((at[nth + 1] ?? Number.POSITIVE_INFINITY) <= Number(hour) * HOUR_MS) nth++
    const part = parts[nth]
    if (part) addPacked(part, own)
  }
  return parts.map(sums => latencyOf(timesIn(sums)).p95)
}
