import type { Period } from '../period.ts'
import { HOUR_MS } from '../time.ts'
import type { HourlyCalls } from './read-stats.ts'

/** Calls over a period: by hour if it is short, else by local day. */
export interface CallSeries {
  readonly step: 'hour' | 'day'
  /** start of each part */
  readonly at: readonly number[]
  readonly calls: readonly number[]
  readonly denied: readonly number[]
}

const MAX_HOURLY_SPAN = 48
/** A year and a half: of a longer period only the latest part is shown. */
const MAX_DAYS = 550

export function callSeriesOf(hours: ReadonlyMap<number, HourlyCalls>, { from, to }: Period): CallSeries {
  const span = (to - from) / HOUR_MS
  const step = span <= MAX_HOURLY_SPAN ? 'hour' : 'day'
  const first = Math.max(from / HOUR_MS, to / HOUR_MS - MAX_DAYS * 24)
  const parts = new Map<number, { calls: number; denied: number }>()
  for (let hour = first; hour < to / HOUR_MS; hour++) {
    const begin = step === 'hour' ? hour * HOUR_MS : startOfLocalDay(hour * HOUR_MS)
    const part = parts.get(begin) ?? { calls: 0, denied: 0 }
    parts.set(begin, part)
    part.calls += hours.get(hour)?.calls ?? 0
    part.denied += hours.get(hour)?.denied ?? 0
  }
  const all = [...parts]
  return {
    step,
    at: all.map(([at]) => at),
    calls: all.map(([, { calls }]) => calls),
    denied: all.map(([, { denied }]) => denied),
  }
}

function startOfLocalDay(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
