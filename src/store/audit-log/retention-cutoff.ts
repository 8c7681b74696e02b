import type { SqlDriver } from '../sqlite/driver.ts'

const DAY_MS = 86_400_000
/** A machine that was off for so long beyond what is kept is rarer than a clock that is wrong. */
const CLOCK_JUMP_DAYS = 30
/** So far it is looked for the end of what has a time that is still to come. */
const MAX_FUTURE_RECORDS = 10_000

interface CutoffQuery {
  readonly now: number
  readonly days: number
  readonly first: number
  readonly last: number
  readonly most: number
}

/**
 * The last record that has had its time, of the first ones; 0 where none has. Clocks jump. A record of a time that is still to come is as old as those
 * around it: it holds nothing up. And one clock that is far ahead of all before removes nothing on its first day, for nobody else says so.
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

/** Behind many that are still to come stand some that have had their time. */
function hasExpiredAfter(driver: SqlDriver, seq: number, old: number, late: number): boolean {
  const next = driver
    .prepare('SELECT at FROM trail WHERE seq > ? AND seq <= ? AND at <= ? ORDER BY seq LIMIT 1')
    .get(seq, seq + MAX_FUTURE_RECORDS, late)
  return next !== undefined && Number(next.at) < old
}

/** Is the clock what it was? Either it has said so for a day, or it did not leap from what was kept to what is. */
function isClockPlausible(driver: SqlDriver, { now, days, first, last }: Omit<CutoffQuery, 'most'>): boolean {
  const one = driver.prepare('SELECT at FROM trail WHERE seq = ?')
  const at = (seq: number): number => Number(one.get(seq)?.at ?? Number.NaN)
  let [low, high] = [first, last]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (at(middle) >= now - days * DAY_MS) high = middle
    else low = middle + 1
  }
  const leap = at(low) - at(low - 1)
  return at(low) <= now - DAY_MS || !(leap > (days + CLOCK_JUMP_DAYS) * DAY_MS)
}
