import { memo } from 'react'
import type { CallResult, SessionEvent } from '../../../../src/app/dashboard/api.ts'
import { toneOf } from '../../parts/tone.ts'
import { movesText } from '../../words/move.ts'
import { shortGateName } from '../../words/name.ts'
import { formatClock } from '../../words/time.ts'

interface Props {
  readonly event: SessionEvent
  /** the caller, if there are several */
  readonly caller: string | undefined
  readonly x: number
  /** the mark that Tab focuses */
  readonly isCurrent: boolean
  readonly isChosen: boolean
  readonly choose: (n: number) => void
}

const CALLS: ReadonlySet<string> = new Set(['tool.before', 'permission.request'])

const ENDED: Readonly<Record<CallResult, string>> = {
  ok: 'and succeeded',
  failed: 'and FAILED',
  unknown: 'and its result is unknown',
}

/** One event on its lane. */
export const EventMark = memo(function EventMark({ event, caller, x, isCurrent, isChosen, choose }: Props) {
  const label = [
    formatClock(event.at),
    caller,
    event.outcome === '-' ? event.event : event.outcome,
    event.what,
    event.ended !== undefined && ENDED[event.ended],
    event.gate !== undefined && event.outcome !== 'pass' && `by ${shortGateName(event.gate)}`,
    movesText(event) && `(${movesText(event)})`,
  ]
  const name = label.filter(Boolean).join(' ')
  return (
    <button
      type="button"
      className="mark"
      data-n={event.n}
      data-tone={event.outcome === 'would' ? 'would' : toneOf(event.outcome)}
      data-end={event.ended}
      data-size={CALLS.has(event.event) ? 'call' : event.event === 'prompt.submit' ? 'prompt' : 'other'}
      aria-label={name}
      aria-pressed={isChosen}
      title={name}
      tabIndex={isCurrent ? 0 : -1}
      style={{ left: `${x * 100}%` }}
      onClick={() => choose(event.n)}
    />
  )
})
