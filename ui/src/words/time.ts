/** Times in the reader's time zone. */
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const short = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
const year = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

export const formatClock = (at: number): string => clock.format(at)
export const formatMinute = (at: number): string => short.format(at)
export const formatDay = (at: number): string => day.format(at)
export const formatIso = (at: number): string => new Date(at).toISOString()

const isSameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString()

/** As short as possible: `14:06:11` today, `Fri 14:06` this week, `13 Nov` before. */
export function formatClockOrDay(at: number, now = Date.now()): string {
  if (isSameDay(at, now)) return formatClock(at)
  const [weekday = '', date = '', month = ''] = formatDay(at).split(/,? /)
  return now - at < 6 * 86_400_000 ? `${weekday} ${formatMinute(at)}` : `${date} ${month}`
}

/** `14:06`, `Mon 16 Nov 14:06`, `16 Nov 2024`: as long as necessary. */
export function formatWhen(at: number, now = Date.now()): string {
  if (isSameDay(at, now)) return formatMinute(at)
  return Math.abs(now - at) < 300 * 86_400_000 ? `${formatDay(at)} ${formatMinute(at)}` : year.format(at)
}

/** A time from the address in the reader's time zone; `7d` stays as it is. */
export function formatTimeArgument(text: string): string {
  const at = /^\d{4}-.*T.*Z$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? text : formatWhen(at)
}

const STEPS: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
]

/** `12 s`, `3 min`, `2 h`, `4 d` */
export function formatInLargestUnit(ms: number): string {
  const [step, unit] = STEPS.find(([size]) => ms >= size) ?? [1000, 's']
  return `${Math.floor(Math.max(0, ms) / step)} ${unit}`
}

/** `38 min`, `1 h 4 min`: a duration */
export function formatHoursAndMinutes(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return formatInLargestUnit(ms)
  return minutes < 1440 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : formatInLargestUnit(ms)
}

export const formatAgo = (at: number, now: number): string =>
  now - at < 1500 ? 'just now' : `${formatInLargestUnit(now - at)} ago`
