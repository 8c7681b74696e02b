const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `2h` ago, or a day or time as the clock on the wall says it (`Z` for that of Greenwich). Undefined: it says no time. */
export function timeIn(text: string, now: number): number | undefined {
  const [, n, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  if (n !== undefined) return now - Number(n) * (UNITS[unit] ?? 0)
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined
  const at = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text.replace(' ', 'T'))
  return Number.isNaN(at) ? undefined : at
}

const two = (n: number): string => String(n).padStart(2, '0')

/** On the wall. */
export function clockOf(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
}

export function dayOf(at: number): string {
  const date = new Date(at)
  return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
}
