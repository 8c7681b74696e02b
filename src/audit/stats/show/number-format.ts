export const formatNumber = (n: number): string => n.toLocaleString('en')
export const formatCount = (n: number, noun: string): string => `${formatNumber(n)} ${noun}${n === 1 ? '' : 's'}`

/** `3.4 %`; a decimal only below 10 %. */
export const formatPercent = (rate: number): string => `${(rate * 100).toFixed(rate > 0 && rate < 0.1 ? 1 : 0)} %`

/** `36 (88 %)` */
export const formatShare = (part: number, all: number): string =>
  `${formatNumber(part)} (${Math.round((part / all) * 100)} %)`

export const formatMs = (value: number | null): string =>
  value === null ? '-' : value >= 1000 ? `${value / 1000} s` : `${value} ms`

/** `5 min`, `3 h`, `30 d`. */
export function formatInLargestUnit(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000))
  if (minutes < 60) return `${minutes} min`
  return minutes < 1440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`
}
