import { type FailedEvent, failureLine, type Reply, SILENCE } from '../client.ts'
import { isUnknownEvent, letPassLine, refusedByExit } from '../failing.ts'
import { capabilities } from './capabilities.ts'
import { kindOf } from './events.ts'

/** Exit 2 refuses. What passes says so in an object: nothing at all would be a failed run. */
export const failure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.kind ?? (event.name === undefined ? undefined : kindOf(event.name))
  if (answer === 'closed' && (kind === 'tool.before' || isUnknownEvent(event))) return refusedByExit(why)
  const seen = kind !== undefined && capabilities.events[kind]?.message === true
  const words = seen ? { user_message: letPassLine(why) } : {}
  return { ...SILENCE, stdout: kind === undefined ? '' : JSON.stringify(words), stderr: failureLine(why) }
}
