import type { FailedEvent, Reply } from '../client.ts'
import { letPass, mayBeCall, refusedByExit, showsMessage } from '../failing.ts'
import { capabilities } from './capabilities.ts'
import { kindOf } from './events.ts'

/** Exit 2 refuses calls and requests for permission alike, if there is a word on stderr. */
export const failure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.kind ?? (event.name === undefined ? undefined : kindOf(event.name))
  if (answer === 'closed' && mayBeCall(kind, event)) return refusedByExit(why)
  return letPass(showsMessage(capabilities, kind, event), why)
}
