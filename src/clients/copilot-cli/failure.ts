import { EVENT_KINDS } from '../../engine/index.ts'
import {
  denyByExitCode,
  isUnknownEvent,
  mayBeCall,
  unjudgedDenialLine,
  unjudgedPassLine,
} from '../adapter/encode/failure-reply.ts'
import { EMPTY_REPLY, type FailedEvent, failureLine, type Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { decisionFieldsOf } from './encode.ts'
import { eventKindOf } from './events.ts'

/**
 * Exit 2 refuses too, but the reason is lost. A payload that was cut off may have shown what it was, not how it is called. The client shows the
 * person nothing, so what passes is said to the agent, which can tell them.
 */
export const encodeFailure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const shown = EVENT_KINDS.find(one => one === event.name)
  const kind = event.kind ?? shown ?? (event.name === undefined ? undefined : eventKindOf(event.name))
  const stderr = failureLine(why)
  if (answer === 'closed' && isUnknownEvent(event)) return denyByExitCode(why)
  if (answer === 'closed' && kind && mayBeCall(kind, event))
    return { exitCode: 0, stdout: JSON.stringify(decisionFieldsOf(kind, 'deny', unjudgedDenialLine(why))), stderr }
  const hears = isUnknownEvent(event) || (kind && capabilities.events[kind]?.context === true)
  const stdout = hears ? JSON.stringify({ additionalContext: `${unjudgedPassLine(why)}. Tell the user.` }) : ''
  return { ...EMPTY_REPLY, stdout, stderr }
}
