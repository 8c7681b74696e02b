const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const AGO = /^(\d{1,9})([smhdw])$/
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** What a person may write for a time, in every command that takes one. */
export const TIME_ARGUMENT_HELP = 'use 7d, 12h, a day like 2026-11-01, or a time like 2026-11-01T09:00'

/**
 * An age such as `7d`, or a date in local time unless it names a zone (`Z`, `+02:00`). A day begins at local midnight. Undefined if
 * the text is not a time, or the day does not exist, such as the 30th of February.
 */
export function parseTimeArgument(text: string, now: number): number | undefined {
  const [, n, unit = ''] = AGO.exec(text) ?? []
  if (n !== undefined) return Math.max(0, now - Number(n) * (UNITS[unit] ?? 0))
  const [whole, year, month, day, hour] = DATE.exec(text) ?? []
  if (whole === undefined || !isDay(Number(year), Number(month), Number(day))) return undefined
  const at = Date.parse(hour === undefined ? `${text}T00:00` : text.replace(' ', 'T'))
  return Number.isNaN(at) ? undefined : Math.max(0, at)
}

/** JavaScript itself turns the 30th of February into the 2nd of March. */
const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
