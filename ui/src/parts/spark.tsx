import { plural } from '../words/number.ts'

/** A small bar chart with one number per day, today last. */
export function Spark({ values, what }: { readonly values: readonly number[]; readonly what: string }) {
  const most = Math.max(1, ...values)
  const label = `${what}, ${plural(values.length, 'day')}: ${values.join(', ')}`
  return (
    <svg
      className="spark"
      viewBox={`0 0 ${values.length * 10} 18`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {values.map((value, nth) => {
        const height = value === 0 ? 1 : Math.max(3, (value / most) * 18)
        // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place
        return <rect key={nth} x={nth * 10 + 1} y={18 - height} width={8} height={height} />
      })}
    </svg>
  )
}
