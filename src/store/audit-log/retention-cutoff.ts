import type { SqlDriver } from '../sqlite/driver.ts'

const DAY_MS = 86_400_000
/** A machine that was off this much longer than the retention time is less likely than a wrong clock. */
const CLOCK_JUMP_DAYS = 30
/** How many records are searched for the end of a run of records dated in the future. */
const MAX_FUTURE_RECORDS = 10_000

interface CutoffQuery {
  readonly now: number
  readonly days: number
  readonly first: number
  readonly last: number
  readonly most: number
}

/**
 * Finds the last of the first records that has expired; 0 if none has. Handles wrong clocks: a record dated in the future counts as old
 * as its neighbours. A clock that is suddenly far ahead removes nothing on its first day.
 */
export function findLastExpired(driver: SqlDriver, { now, days, first, last, most }: CutoffQuery): number {
  const old = now - days * DAY_MS
  const late = now + DAY_MS
  const end = Math.min(first + most, last)
  const young = driver
    .prepare('SELECT seq FROM trail WHERE seq <= ? AND at >= ? AND at <= ? ORDER BY seq LIMIT 1')
    .get(end, old, late)
  const upTo = young ? Number(young.seq) - 1 : end
  if (upTo < first) return 0
  const found = driver
    .prepare('SELECT seq FROM trail WHERE seq >= ? AND seq <= ? AND at < ? ORDER BY seq DESC LIMIT 1')
    .get(first, upTo, old)
  const seq = found ? Number(found.seq) : !young && hasExpiredAfter(driver, end, old, late) ? end : 0
  return seq > 0 && isClockPlausible(driver, { now, days, first, last }) ? seq : 0
}

/** Whether expired records follow a run of records dated in the future. */
function hasExpiredAfter(driver: SqlDriver, seq: number, old: number, late: number): boolean {
  const next = driver
    .prepare('SELECT at FROM trail WHERE seq > ? AND seq <= ? AND at <= ? ORDER BY seq LIMIT 1')
    .get(seq, seq + MAX_FUTURE_RECORDS, late)
  return next !== undefined && Number(next.at) < old
}

/** Whether the clock can be trusted: it has shown this time for a day, or it did not jump between expired and kept records. */
function isClockPlausible(driver: SqlDriver, { now, days, first, last }: Omit<CutoffQuery, 'most'>): boolean {
  const statement = driver.prepare('SELECT at FROM trail WHERE seq = ?')
  const at = (seq: number): number => Number(statement.get(seq)?.at ?? Number.NaN)
  let [low, high] = [first, last]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (at(middle) >= now - days * DAY_MS) high = middle
    else low = middle + 1
  }
  const leap = at(low) - at(low - 1)
  return at(low) <= now - DAY_MS || !(leap > (days + CLOCK_JUMP_DAYS) * DAY_MS)
}
