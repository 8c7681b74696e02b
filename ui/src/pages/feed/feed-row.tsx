import { memo } from 'react'
import { CallEndBadge } from '../../parts/call-end.tsx'
import { DecisionBadge } from '../../parts/decision-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { movesText } from '../../words/move.ts'
import { isMainAgent, shortClientName, shortGateName, shortSessionId, withProjectPaths } from '../../words/name.ts'
import { formatMs } from '../../words/number.ts'
import type { FoldedRow } from './fold.ts'

interface Props {
  readonly folded: FoldedRow
  readonly isOpen: boolean
  readonly root: string | undefined
  readonly toggle: (n: number) => void
}

/** Column heads, hidden from screen readers, which read each row as a whole. */
export const FeedHead = () => (
  <div className="feed-head" aria-hidden="true">
    <span>time</span>
    <span>outcome</span>
    <span>agent</span>
    <span className="f-session">session</span>
    <span>gate</span>
    <span>what it did</span>
    <span />
    <span className="f-ended">ended</span>
    <span className="f-ms">took</span>
    <span className="f-n">number</span>
  </div>
)

/** One line of the feed. */
export const FeedRow = memo(function FeedRow({ folded, isOpen, root, toggle }: Props) {
  const { row, times } = folded
  const moves = movesText(row)
  return (
    <button
      type="button"
      className="feed-row"
      data-row
      data-tone={row.outcome === 'DENY' || row.outcome === 'ASK' || row.outcome === 'ERROR' ? 'loud' : undefined}
      aria-expanded={isOpen}
      onClick={() => toggle(row.n)}
    >
      <span className="f-time">
        <Time at={row.at} as="clock" />
      </span>
      <span className="f-word">
        <DecisionBadge word={row.outcome} />
      </span>
      <span className="f-client cut" title={`${row.client}, ${row.caller}`}>
        {shortClientName(row.client)}
        {!isMainAgent(row) && <span className="quiet"> {row.caller}</span>}
      </span>
      <span className="f-session cut mono" title={row.session}>
        {shortSessionId(row.session)}
      </span>
      <span className="f-gate cut" title={row.gate}>
        {row.gate === undefined ? '–' : shortGateName(row.gate)}
      </span>
      <span className="f-what cut mono" title={[row.what, moves].filter(Boolean).join('\n')}>
        {withProjectPaths(row.what, root)}
        {moves !== '' && <span className="f-moves">{moves}</span>}
      </span>
      <span className="f-times">{times > 1 && `×${times}`}</span>
      <span className="f-ended">
        <CallEndBadge ended={row.ended} />
      </span>
      <span className="f-ms">{row.ms === undefined ? '' : formatMs(row.ms)}</span>
      <span className="f-n">{row.n}</span>
    </button>
  )
})
