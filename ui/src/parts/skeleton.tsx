const WIDTHS = ['38%', '72%', '55%', '84%', '46%', '66%', '30%', '78%']

/** A placeholder while loading; visible only after a while. */
export function Skeleton({ rows = 5 }: { readonly rows?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="only-read">Loading</span>
      {Array.from({ length: rows }, (_, nth) => WIDTHS[nth % WIDTHS.length]).map((width, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <i key={nth} style={{ width }} />
      ))}
    </div>
  )
}
