import type { Failure } from '../api/ask.ts'
import { href } from '../route/route.ts'
import { Nothing } from './nothing.tsx'
import { useSituation } from './situation.tsx'

interface Props {
  readonly failure: Failure
  readonly again: () => void
}

/** Why there is no answer. What to do about a server that is not there stands above the page. */
export function Trouble({ failure, again }: Props) {
  const situation = useSituation()
  const isUnread = situation.data?.trail.problem !== undefined
  const isNowhere = failure.status === 404 && situation.failure?.status === 404
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
  // asking again for what is not there is no help
  if (isNowhere)
    return (
      <Nothing title={title}>
        Check the address, or{' '}
        <a href={href(['overview'], { project: undefined })}>show the project of this dashboard</a>.
      </Nothing>
    )
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
