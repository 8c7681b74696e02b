/**
 * Upper bounds of the buckets in milliseconds: ten for each power of ten, from 0.1 ms to 10 s, plus one for longer times. The steps
 * are round numbers, so that each of the wider Prometheus buckets consists of whole buckets.
 */
const BOUND_STEPS = [1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8]
export const BUCKET_BOUNDS: readonly number[] = [-1, 0, 1, 2, 3]
  .flatMap(power => BOUND_STEPS.map(step => Number((step * 10 ** power).toPrecision(3))))
  .concat(10_000)

/** The widest step between bounds: a percentile is never too low and at most this much too high. */
export const ERROR_PERCENT = 28

/** The first bucket whose bound is not below `ms`; one past the last for longer times. */
export function bucketOf(ms: number): number {
  let low = 0
  let high = BUCKET_BOUNDS.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((BUCKET_BOUNDS[middle] ?? 0) >= ms) high = middle
    else low = middle + 1
  }
  return low
}

/** Number of values per bucket. */
export type Histogram = ReadonlyMap<number, number>

export interface Latency {
  readonly count: number
  /** in milliseconds; null if nothing was measured */
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}

export function latencyOf(histogram: Histogram): Latency {
  const count = [...histogram.values()].reduce((sum, n) => sum + n, 0)
  const at = (percent: number) => (count === 0 ? null : percentile(histogram, count, percent))
  return { count, p50: at(50), p95: at(95), p99: at(99) }
}

/** The upper bound of the bucket that contains the value of this rank (nearest rank). */
function percentile(histogram: Histogram, count: number, percent: number): number {
  const rank = Math.max(1, Math.ceil((count * percent) / 100))
  let below = 0
  for (let bucket = 0; bucket < BUCKET_BOUNDS.length; bucket++) {
    below += histogram.get(bucket) ?? 0
    if (below >= rank) return BUCKET_BOUNDS[bucket] ?? 0
  }
  return BUCKET_BOUNDS[BUCKET_BOUNDS.length - 1] ?? 0
}
