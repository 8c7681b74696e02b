import { type FailedEvent, failureLine, type Reply, SILENCE } from '../client.ts'
import { isUnknownEvent, letPassLine, refusedByExit, showsMessage } from '../failing.ts'
import { capabilities } from './capabilities.ts'
import { kindOf } from './events.ts'

/** The plugin throws on exit 2; what passes it shows to the person. */
export const failure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.name === undefined ? event.kind : kindOf(event.name)
  if (answer === 'closed' && (kind === 'tool.before' || isUnknownEvent(event))) return refusedByExit(why)
  const shows = showsMessage(capabilities, kind, event)
  const stdout = shows ? JSON.stringify({ message: letPassLine(why) }) : ''
  return { ...SILENCE, stdout, stderr: failureLine(why) }
}
