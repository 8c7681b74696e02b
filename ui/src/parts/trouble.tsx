import type { Failure } from '../api/ask.ts'
import { Nothing } from './nothing.tsx'
import { useSituation } from './situation.tsx'

interface Props {
  readonly failure: Failure
  readonly again: () => void
}

/** Why there is no answer. What to do about a server that is not there stands above the page. */
export function Trouble({ failure, again }: Props) {
  const isUnread = useSituation().data?.trail.problem !== undefined
  if (failure.kind === 'gone')
    return (
      <Nothing title="Nothing to show yet">
        Nobody answers at {location.host}, and this page was not open before. It is asked again and again, and shows
        here what it says.
      </Nothing>
    )
  // these are said above every page, with what to do
  if (failure.kind === 'locked') return null
  if (failure.status === 503 && isUnread)
    return <Nothing title="Nothing to show">It comes back by itself when the database can be read again.</Nothing>
  const title = failure.error.charAt(0).toUpperCase() + failure.error.slice(1)
  // asking again for what is not there is no help: the way back stands above
  if (failure.status === 404) return <Nothing title={title} next={failure.help} />
  return (
    <div role="alert">
      <Nothing title={title} next={failure.help}>
        <button type="button" className="button" onClick={again}>
          Try again
        </button>
      </Nothing>
    </div>
  )
}
