import { type FailedEvent, failureLine, type Reply, SILENCE } from '../client.ts'
import { refusedByExit } from '../failing.ts'
import { capabilities } from './capabilities.ts'
import { kindOf } from './events.ts'

/** The plugin throws on exit 2; what passes it shows to the person. */
export const failure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.name === undefined ? event.kind : kindOf(event.name)
  if (answer === 'closed' && kind === 'tool.before') return refusedByExit(why)
  const seen = kind !== undefined && capabilities.events[kind]?.message === true
  const stdout = seen ? JSON.stringify({ message: failureLine(`not judged, let pass: ${why}`) }) : ''
  return { ...SILENCE, stdout, stderr: failureLine(why) }
}
