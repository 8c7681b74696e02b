const SAYS: Readonly<Record<string, string>> = {
  block: 'it stops agents',
  warn: 'it only warns',
  observe: 'it only looks on',
}

/** A gate's mode. */
export function Mode({ mode }: { readonly mode: string | null }) {
  return (
    <span className="tag" title={mode === null ? 'not in the policy here' : SAYS[mode]}>
      {mode ?? 'gone'}
    </span>
  )
}
