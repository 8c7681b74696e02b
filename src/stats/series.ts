import type { Period } from './period.ts'
import type { Busy } from './read.ts'
import { HOUR_MS } from './time.ts'

/** How a period went: by hour where it is short, else by day as days are in this place. */
export interface Series {
  readonly step: 'hour' | 'day'
  /** when each part begins */
  readonly at: readonly number[]
  readonly calls: readonly number[]
  readonly denied: readonly number[]
}

const BY_HOUR = 48
/** A year and a half: what is longer is told by its latest part. */
const MOST = 550

export function seriesOf(hours: ReadonlyMap<number, Busy>, { from, to }: Period): Series {
  const span = (to - from) / HOUR_MS
  const step = span <= BY_HOUR ? 'hour' : 'day'
  const first = Math.max(from / HOUR_MS, to / HOUR_MS - MOST * 24)
  const parts = new Map<number, { calls: number; denied: number }>()
  for (let hour = first; hour < to / HOUR_MS; hour++) {
    const begin = step === 'hour' ? hour * HOUR_MS : dayOf(hour * HOUR_MS)
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

function dayOf(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
