import { memo } from 'react'
import { CallEnded } from '../../parts/call-end.tsx'
import { Time } from '../../parts/time.tsx'
import { Word } from '../../parts/word.tsx'
import { movesOf } from '../../words/move.ts'
import { clientOf, doneIn, gateOf, isAlone, sessionOf } from '../../words/name.ts'
import { msOf } from '../../words/number.ts'
import type { Folded } from './fold.ts'

interface Props {
  readonly folded: Folded
  readonly isOpen: boolean
  readonly root: string | undefined
  readonly toggle: (n: number) => void
}

/** What stands in a line; who reads with their ears hears each line as a whole. */
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
  const moves = movesOf(row)
  return (
    <button
      type="button"
      className="feed-row"
      data-row
      data-tone={row.word === 'DENY' || row.word === 'ASK' || row.word === 'ERROR' ? 'loud' : undefined}
      aria-expanded={isOpen}
      onClick={() => toggle(row.n)}
    >
      <span className="f-time">
        <Time at={row.at} as="clock" />
      </span>
      <span className="f-word">
        <Word word={row.word} />
      </span>
      <span className="f-client cut" title={`${row.client}, ${row.caller}`}>
        {clientOf(row.client)}
        {!isAlone(row) && <span className="quiet"> {row.caller}</span>}
      </span>
      <span className="f-session cut mono" title={row.session}>
        {sessionOf(row.session)}
      </span>
      <span className="f-gate cut" title={row.gate}>
        {row.gate === undefined ? '–' : gateOf(row.gate)}
      </span>
      <span className="f-what cut mono" title={[row.what, moves].filter(Boolean).join('\n')}>
        {doneIn(row.what, root)}
        {moves !== '' && <span className="f-moves">{moves}</span>}
      </span>
      <span className="f-times">{times > 1 && `×${times}`}</span>
      <span className="f-ended">
        <CallEnded ended={row.ended} />
      </span>
      <span className="f-ms">{row.ms === undefined ? '' : msOf(row.ms)}</span>
      <span className="f-n">{row.n}</span>
    </button>
  )
})
