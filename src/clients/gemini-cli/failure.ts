import { denyByExitCode, isUnknownEvent, passUnjudged, showsMessage } from '../adapter/encode.ts'
import type { FailedEvent, Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './events.ts'

/**
 * BeforeTool is denied by exit 2 with empty stdout: the client would use JSON there for any exit code. An `agent.stop` is derived
 * from a call, so the client's own event name decides.
 */
export const encodeFailure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.name === undefined ? event.kind : eventKindOf(event.name)
  if (answer === 'closed' && (kind === 'tool.before' || isUnknownEvent(event))) return denyByExitCode(why)
  return passUnjudged(showsMessage(capabilities, kind, event), why)
}
