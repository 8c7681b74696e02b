/** A time axis: activity in proportion, long pauses folded to a small fixed width. */
export interface TimeScale {
  /** from 0 to 1 */
  readonly at: (time: number) => number
  readonly pauses: readonly { readonly x: number; readonly ms: number }[]
  readonly ticks: readonly { readonly x: number; readonly time: number }[]
}

const LONGEST_MS = 4 * 60_000
const PAUSE_SHARE = 0.04

export function timeScale(times: readonly number[], tickCount: number): TimeScale {
  const sorted = [...new Set(times)].sort((a, b) => a - b)
  const [first = 0] = sorted
  const gaps = sorted.slice(1).map((time, nth) => time - (sorted[nth] ?? time))
  const work = gaps.reduce((sum, gap) => sum + (gap > LONGEST_MS ? 0 : gap), 0) || 1
  const pause = Math.max(work * PAUSE_SHARE, 1000)
  const knots: { time: number; x: number }[] = [{ time: first, x: 0 }]
  const pauses: { x: number; ms: number }[] = []
  for (const [nth, gap] of gaps.entries()) {
    const x = knots.at(-1)?.x ?? 0
    const width = gap > LONGEST_MS ? pause : gap
    if (gap > LONGEST_MS) pauses.push({ x: x + width / 2, ms: gap })
    knots.push({ time: sorted[nth + 1] ?? first, x: x + width })
  }
  const whole = knots.at(-1)?.x || 1
  const at = (time: number): number => placeOf(knots, time) / whole
  return {
    at,
    pauses: pauses.map(one => ({ ...one, x: one.x / whole })),
    ticks: Array.from({ length: tickCount }, (_, nth) => {
      const x = tickCount === 1 ? 0 : nth / (tickCount - 1)
      return { x, time: timeAt(knots, x * whole) }
    }),
  }
}

type Knots = readonly { readonly time: number; readonly x: number }[]

function placeOf(knots: Knots, time: number): number {
  const after = knots.findIndex(knot => knot.time >= time)
  if (after < 0) return knots.at(-1)?.x ?? 0
  const [a, b] = [knots[after - 1], knots[after]]
  if (!a || !b) return b?.x ?? 0
  return a.x + ((time - a.time) / (b.time - a.time)) * (b.x - a.x)
}

function timeAt(knots: Knots, x: number): number {
  const after = knots.findIndex(knot => knot.x >= x)
  const [a, b] = [knots[after - 1], knots[after]]
  if (!b) return knots.at(-1)?.time ?? 0
  if (!a || b.x === a.x) return b.time
  return a.time + ((x - a.x) / (b.x - a.x)) * (b.time - a.time)
}
