import { EVENT_KINDS } from '../../engine/index.ts'
import {
  denyByExitCode,
  isUnknownEvent,
  mayBeCall,
  replyOf,
  unjudgedDenialLine,
  unjudgedPassLine,
} from '../adapter/encode.ts'
import { EMPTY_REPLY, type FailedEvent, failureLine, type Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { decisionFieldsOf } from './encode.ts'
import { eventKindOf } from './events.ts'

/**
 * Exit 2 denies too, but loses the reason. For a truncated payload `event.name` may hold a canonical kind instead of Copilot's event name.
 * The client shows nothing to the user, so a pass is reported to the agent, which can pass it on.
 */
export const encodeFailure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const shown = EVENT_KINDS.find(one => one === event.name)
  const kind = event.kind ?? shown ?? (event.name === undefined ? undefined : eventKindOf(event.name))
  const stderr = failureLine(why)
  if (answer === 'closed' && isUnknownEvent(event)) return denyByExitCode(why)
  if (answer === 'closed' && kind && mayBeCall(kind, event))
    return { ...replyOf(decisionFieldsOf(kind, 'deny', unjudgedDenialLine(why)), true), stderr }
  const hears = isUnknownEvent(event) || (kind && capabilities.events[kind]?.context === true)
  const stdout = hears ? JSON.stringify({ additionalContext: `${unjudgedPassLine(why)}. Tell the user.` }) : ''
  return { ...EMPTY_REPLY, stdout, stderr }
}
