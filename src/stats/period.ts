import { HOUR_MS, hourOf } from './time.ts'

/** Whole hours: from the beginning of the first to the end of the last. In milliseconds since 1970, the end not included. */
export interface Period {
  readonly from: number
  readonly to: number
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: 86_400_000, w: 604_800_000 }
const DEFAULT = '7d'

/** A problem in one line, where what was asked for is no period. */
export function periodOf(since: string | undefined, until: string | undefined, now: number): Period | string {
  const to = until === undefined ? now : timeIn(until, now)
  if (to === undefined) return wrong('until', until)
  // a week, up to whatever end
  const from = timeIn(since ?? DEFAULT, since === undefined ? to : now)
  if (from === undefined) return wrong('since', since)
  if (to < from && until === undefined) return `\`--since ${since}\` is in the future`
  if (to < from) return `\`--until ${until}\` is before \`--since ${since}\``
  return { from: hourOf(from) * HOUR_MS, to: (hourOf(Math.max(from, to - 1)) + 1) * HOUR_MS }
}

const wrong = (option: string, text: string | undefined): string =>
  `\`--${option} ${text}\`: say 7d, 12h, a day like 2026-11-01, or a time like 2026-11-01T09:00`

/** So long ago, or then: in the time of this place unless it names another. A day begins at midnight here. */
function timeIn(text: string, now: number): number | undefined {
  const [, n, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  if (n !== undefined) return Math.max(0, now - Number(n) * (UNITS[unit] ?? 0))
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return undefined
  // there is no 30th of February, though the parser of dates takes it for one of March
  const day = new Date(`${text.slice(0, 10)}T00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text.slice(0, 10)) return undefined
  const at = Date.parse(text.length === 10 ? `${text}T00:00` : text)
  return Number.isNaN(at) ? undefined : Math.max(0, at)
}
