import type { ApiFailure } from '../api/request.ts'
import { href } from '../route/route.ts'
import { EmptyPage } from './empty-page.tsx'
import { useStatus } from './status.tsx'

interface Props {
  readonly failure: ApiFailure
  readonly again: () => void
}

/** Why a request failed. The notice above the page says what to do if the server is gone. */
export function FailureNotice({ failure, again }: Props) {
  const situation = useStatus()
  const isUnread = situation.data?.auditLog.problem !== undefined
  const isNowhere = failure.status === 404 && situation.failure?.status === 404
  if (failure.kind === 'gone')
    return (
      <EmptyPage title="Nothing to show yet">
        The dashboard does not respond at {location.host}, and this page has no earlier data. It tries again
        automatically.
      </EmptyPage>
    )
  // the notice above every page shows these, with what to do
  if (failure.kind === 'locked') return null
  if (failure.status === 503 && isUnread)
    return (
      <EmptyPage title="Nothing to show">
        This page reloads automatically when the database can be read again.
      </EmptyPage>
    )
  const title = failure.error.charAt(0).toUpperCase() + failure.error.slice(1)
  // retrying does not help if the project does not exist
  if (isNowhere)
    return (
      <EmptyPage title={title}>
        Check the address, or <a href={href(['overview'], { project: undefined })}>show the default project</a>.
      </EmptyPage>
    )
  if (failure.status === 404) return <EmptyPage title={title} next={failure.help} />
  return (
    <div role="alert">
      <EmptyPage title={title} next={failure.help}>
        <button type="button" className="button" onClick={again}>
          Try again
        </button>
      </EmptyPage>
    </div>
  )
}
