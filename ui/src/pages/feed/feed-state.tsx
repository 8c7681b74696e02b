import { useConnectionState } from '../../api/connection-state.ts'
import { formatCount } from '../../words/number.ts'

interface Props {
  readonly held: number
  readonly skipped: number
  readonly isHeld: boolean
  /** the audit log cannot be read */
  readonly isBlind: boolean
  /** the server has confirmed the stream */
  readonly isHeard: boolean
  readonly toTop: () => void
}

/** Whether the feed is live, and how many rows wait. */
export function FeedState({ held, skipped, isHeld, isBlind, isHeard, toTop }: Props) {
  const isHere = useConnectionState() === 'here'
  if (!isHere) return <p className="feed-state">not connected</p>
  if (isBlind) return <p className="feed-state">not live: records cannot be read</p>
  if (!isHeard) return <p className="feed-state">connecting…</p>
  return (
    <div className="feed-state" role="status">
      {held > 0 ? (
        <button type="button" className="button" onClick={toTop}>
          {formatCount(held)} new, {isHeld ? 'paused' : 'show'}
        </button>
      ) : (
        <span>{isHeld ? 'paused' : 'live'}</span>
      )}
      {skipped > 0 && <span>{formatCount(skipped)} more arrived too fast: scroll down to load them</span>}
    </div>
  )
}
