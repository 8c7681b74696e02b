import { denyByExitCode, isUnknownEvent, showsMessage, unjudgedPassLine } from '../adapter/encode.ts'
import { EMPTY_REPLY, type FailedEvent, failureLine, type Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './events.ts'

/** The plugin throws on exit 2, and shows the message of a pass to the user. */
export const encodeFailure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.name === undefined ? event.kind : eventKindOf(event.name)
  if (answer === 'closed' && (kind === 'tool.before' || isUnknownEvent(event))) return denyByExitCode(why)
  const shows = showsMessage(capabilities, kind, event)
  const stdout = shows ? JSON.stringify({ message: unjudgedPassLine(why) }) : ''
  return { ...EMPTY_REPLY, stdout, stderr: failureLine(why) }
}
