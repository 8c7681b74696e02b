const PATHS = {
  overview: 'M2 13.5h12M4 11V7M8 11V3M12 11V5.5',
  feed: 'M2 4h12M2 8h12M2 12h8',
  sessions: 'M2 4h7M5 8h9M3 12h5M11.5 2.5v3M4 6.5v3M10 10.5v3',
  gates: 'M3 14V3M13 14V3M3 5l10 4M3 9l10 4',
  workflows: 'M2.5 2.5h4v3h-4zM9.5 6.5h4v3h-4zM2.5 10.5h4v3h-4zM6.5 4H11v2.5M11 9.5V12H6.5',
  playground: 'M3 4l4 4-4 4M8.5 12.5H13',
  policy: 'M4 2h6l3 3v9H4zM10 2v3h3M6.5 8h4M6.5 11h4',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
  keys: 'M2 4.5h12v7H2zM5 9.5h6M4.5 7h.01M7 7h.01M9.5 7h.01M11.8 7h.01',
  back: 'M9.5 3.5L5 8l4.5 4.5',
} as const

export type IconName = keyof typeof PATHS

/** An icon beside text or in a labelled button, never alone. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
