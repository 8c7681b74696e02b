import { useConnectionState } from '../../api/connection-state.ts'
import { formatCount } from '../../words/number.ts'

interface Props {
  readonly waiting: number
  readonly skipped: number
  readonly isPaused: boolean
  /** the audit log cannot be read */
  readonly isBlind: boolean
  /** the server has confirmed the stream */
  readonly isConnected: boolean
  readonly toTop: () => void
}

/** Whether the feed is live, and how many rows wait. */
export function FeedState({ waiting, skipped, isPaused, isBlind, isConnected, toTop }: Props) {
  const isHere = useConnectionState() === 'here'
  if (!isHere) return <p className="feed-state">not connected</p>
  if (isBlind) return <p className="feed-state">not live: records cannot be read</p>
  if (!isConnected) return <p className="feed-state">connecting…</p>
  return (
    <div className="feed-state" role="status">
      {waiting > 0 ? (
        <button type="button" className="button" onClick={toTop}>
          {formatCount(waiting)} new, {isPaused ? 'paused' : 'show'}
        </button>
      ) : (
        <span>{isPaused ? 'paused' : 'live'}</span>
      )}
      {skipped > 0 && <span>{formatCount(skipped)} more arrived too fast: scroll down to load them</span>}
    </div>
  )
}
