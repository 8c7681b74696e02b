import { useLine } from '../../api/line.ts'
import { countOf } from '../../words/number.ts'

interface Props {
  readonly held: number
  readonly skipped: number
  readonly isHeld: boolean
  readonly toTop: () => void
}

/** Whether new ones come in by themselves, and how many wait. */
export function FeedState({ held, skipped, isHeld, toTop }: Props) {
  const isHere = useLine() === 'here'
  if (!isHere) return <p className="feed-state">not connected</p>
  return (
    <div className="feed-state" role="status">
      {held > 0 ? (
        <button type="button" className="button" onClick={toTop}>
          {countOf(held)} new, {isHeld ? 'paused' : 'show'}
        </button>
      ) : (
        <span>{isHeld ? 'paused' : 'live'}</span>
      )}
      {skipped > 0 && <span>{countOf(skipped)} more were too many at once</span>}
    </div>
  )
}
