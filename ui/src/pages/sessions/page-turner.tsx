import type { SessionDetail } from '../../../../src/app/dashboard/api.ts'
import { formatCount } from '../../words/number.ts'

/** A visited part: the record it ends before, and the number of later events. */
export interface Cursor {
  readonly before: number
  readonly later: number
}

interface Props {
  readonly detail: SessionDetail
  readonly cursors: readonly Cursor[]
  /** the timeline still shows the previous part */
  readonly isStale: boolean
  readonly turn: (cursors: readonly Cursor[]) => void
}

/** Shows which part of a long session is drawn, with links to the others. */
export function PageTurner({ detail, cursors, isStale, turn }: Props) {
  const { before, events, row, isCounted } = detail
  const later = cursors.at(-1)?.later ?? 0
  if (before === null && cursors.length === 0) return null
  return (
    <nav className="part" aria-label="Parts of the session">
      <p role="status">{isStale ? 'Reading…' : rangeText(events.length, later, row.events, isCounted)}</p>
      {before !== null && (
        <button
          type="button"
          className="button"
          disabled={isStale}
          onClick={() => turn([...cursors, { before, later: later + events.length }])}
        >
          Earlier
        </button>
      )}
      {cursors.length > 0 && (
        <>
          <button type="button" className="button" disabled={isStale} onClick={() => turn(cursors.slice(0, -1))}>
            Later
          </button>
          <button type="button" className="button" onClick={() => turn([])}>
            The latest
          </button>
        </>
      )}
    </nav>
  )
}

function rangeText(shown: number, later: number, all: number, isCounted: boolean): string {
  if (shown === 0) return 'There are no earlier events'
  if (!isCounted)
    return `Showing ${formatCount(shown)} events of ${formatCount(Math.max(all, shown + later))} or more: still counting`
  if (later === 0) return `Showing the last ${formatCount(shown)} of ${formatCount(all)} events`
  const to = Math.max(all - later, shown)
  return `Showing events ${formatCount(to - shown + 1)} to ${formatCount(to)} of ${formatCount(all)}`
}
