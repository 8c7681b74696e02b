import type { FailedEvent, Reply } from '../client.ts'
import { isUnknownEvent, letPass, refusedByExit, showsMessage } from '../failing.ts'
import { capabilities } from './capabilities.ts'
import { kindOf } from './events.ts'

/**
 * BeforeTool is denied by exit 2 with nothing on stdout: JSON there would be used whatever the exit code. An `agent.stop` is made
 * of a call, so the client's own name counts.
 */
export const failure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.name === undefined ? event.kind : kindOf(event.name)
  if (answer === 'closed' && (kind === 'tool.before' || isUnknownEvent(event))) return refusedByExit(why)
  return letPass(showsMessage(capabilities, kind, event), why)
}
