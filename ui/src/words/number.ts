const whole = new Intl.NumberFormat('en')

export const formatCount = (n: number): string => whole.format(n)
export const plural = (n: number, one: string, many = `${one}s`): string => `${formatCount(n)} ${n === 1 ? one : many}`

export function formatPercent(share: number | null): string {
  if (share === null) return '–'
  const percent = share * 100
  return `${percent === 0 || percent >= 10 ? Math.round(percent) : percent.toFixed(1)} %`
}

/** `0.8 ms`, `12 ms`, `1.4 s` */
export function formatMs(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–'
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return `${ms >= 10 ? Math.round(ms) : Math.round(ms * 10) / 10} ms`
}
