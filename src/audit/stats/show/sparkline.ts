const BAR_SIGNS = { unicode: '▁▂▃▄▅▆▇█', ascii: '.:-=+*#%' } as const
export type BarStyle = keyof typeof BAR_SIGNS

/** A line of bars no wider than `width`; adds up neighbours that do not fit. Zero is a blank. */
export function renderSparkline(values: readonly number[], width: number, bars: BarStyle): string {
  const each = Math.max(1, Math.ceil(values.length / Math.max(1, width)))
  const sums = Array.from({ length: Math.ceil(values.length / each) }, (_, nth) =>
    values.slice(nth * each, (nth + 1) * each).reduce((a, b) => a + b, 0),
  )
  const most = Math.max(1, ...sums)
  const signs = BAR_SIGNS[bars]
  return sums.map(n => (n === 0 ? ' ' : signs[Math.ceil((n / most) * signs.length) - 1])).join('')
}
