import type { Failure } from '../api/ask.ts'
import { Nothing } from './nothing.tsx'

interface Props {
  readonly failure: Failure
  readonly again: () => void
}

/** Why there is no answer. */
export function Trouble({ failure, again }: Props) {
  if (failure.kind === 'gone')
    return (
      <Nothing title="The daemon is not there" next="signalbox ui">
        Nobody answers at {location.host}. Start it again; this page goes on by itself as soon as it does.
      </Nothing>
    )
  if (failure.kind === 'locked')
    return (
      <Nothing title="This browser has no key" next="signalbox ui">
        The dashboard opens with a key that only you can read. Ask for an address with a new one, and open that.
      </Nothing>
    )
  return (
    <div role="alert">
      <Nothing title={failure.error} next={failure.help}>
        <button type="button" className="button" onClick={again}>
          Try again
        </button>
      </Nothing>
    </div>
  )
}
