import { denyByExitCode, mayBeCall, passUnjudged, showsMessage } from '../adapter/encode.ts'
import type { FailedEvent, Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './events.ts'

/** Exit 2 denies tool calls and permission requests alike, if stderr is not empty. */
export const encodeFailure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.kind ?? (event.name === undefined ? undefined : eventKindOf(event.name))
  if (answer === 'closed' && mayBeCall(kind, event)) return denyByExitCode(why)
  return passUnjudged(showsMessage(capabilities, kind, event), why)
}
