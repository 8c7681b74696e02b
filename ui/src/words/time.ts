/** Times as the reader's clock shows them. */
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const short = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
const year = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

export const clockOf = (at: number): string => clock.format(at)
export const minuteOf = (at: number): string => short.format(at)
export const dayOf = (at: number): string => day.format(at)
export const isoOf = (at: number): string => new Date(at).toISOString()

const isSameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString()

/** As narrow as can be: `14:06:11` today, `Fri 14:06` this week, `13 Nov` before. */
export function clockIn(at: number, now = Date.now()): string {
  if (isSameDay(at, now)) return clockOf(at)
  const [weekday = '', date = '', month = ''] = dayOf(at).split(/,? /)
  return now - at < 6 * 86_400_000 ? `${weekday} ${minuteOf(at)}` : `${date} ${month}`
}

/** `14:06`, `Mon 16 Nov 14:06`, `16 Nov 2024`: as much as it takes. */
export function whenOf(at: number, now = Date.now()): string {
  if (isSameDay(at, now)) return minuteOf(at)
  return Math.abs(now - at) < 300 * 86_400_000 ? `${dayOf(at)} ${minuteOf(at)}` : year.format(at)
}

/** A time in an address as the reader's clock shows it; `7d` as it is. */
export function momentOf(text: string): string {
  const at = /^\d{4}-.*T.*Z$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? text : whenOf(at)
}

const STEPS: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
]

/** `12 s`, `3 min`, `2 h`, `4 d` */
export function spanOf(ms: number): string {
  const [step, unit] = STEPS.find(([size]) => ms >= size) ?? [1000, 's']
  return `${Math.floor(Math.max(0, ms) / step)} ${unit}`
}

/** `38 min`, `1 h 4 min`: how long something took */
export function lengthOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return spanOf(ms)
  return minutes < 1440 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : spanOf(ms)
}

export const agoOf = (at: number, now: number): string => (now - at < 1500 ? 'just now' : `${spanOf(now - at)} ago`)
