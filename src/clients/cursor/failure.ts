import { denyByExitCode, isUnknownEvent, unjudgedPassLine } from '../adapter/encode.ts'
import { EMPTY_REPLY, type FailedEvent, failureLine, type Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './events.ts'

/** Exit 2 denies. A pass prints an object: empty output would count as a failed hook. */
export const encodeFailure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.kind ?? (event.name === undefined ? undefined : eventKindOf(event.name))
  if (answer === 'closed' && (kind === 'tool.before' || isUnknownEvent(event))) return denyByExitCode(why)
  const seen = kind !== undefined && capabilities.events[kind]?.message === true
  const words = seen ? { user_message: unjudgedPassLine(why) } : {}
  return { ...EMPTY_REPLY, stdout: kind === undefined ? '' : JSON.stringify(words), stderr: failureLine(why) }
}
