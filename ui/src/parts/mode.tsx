const MODE_TEXTS: Readonly<Record<string, string>> = {
  block: 'it blocks agents',
  warn: 'it only warns',
  observe: 'it only records',
}

/** A gate's mode. */
export function Mode({ mode }: { readonly mode: string | null }) {
  return (
    <span className="tag" title={mode === null ? 'not in this policy' : MODE_TEXTS[mode]}>
      {mode ?? 'removed'}
    </span>
  )
}
