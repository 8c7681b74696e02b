/** The logo: a signal with a stop light and a clear light. */
export function Logo() {
  return (
    <svg viewBox="0 0 20 28" aria-hidden="true">
      <rect x="3" y="0" width="14" height="21" rx="7" fill="var(--ink)" />
      <circle cx="10" cy="6.8" r="3.4" fill="var(--deny-solid)" />
      <circle cx="10" cy="14.2" r="3.4" fill="var(--paper)" />
      <path d="M10 21v6M5 27h10" stroke="var(--mark)" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
