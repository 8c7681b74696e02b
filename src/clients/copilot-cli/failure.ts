import { EVENT_KINDS } from '../../pattern/index.ts'
import { type FailedEvent, failureLine, type Reply, SILENCE } from '../client.ts'
import { isUnknownEvent, letPassLine, mayBeCall, refusal, refusedByExit } from '../failing.ts'
import { capabilities } from './capabilities.ts'
import { decided } from './encode.ts'
import { kindOf } from './events.ts'

/**
 * Exit 2 refuses too, but the reason is lost. A payload that was cut off may have shown what it was, not how it is called. The client shows the
 * person nothing, so what passes is said to the agent, which can tell them.
 */
export const failure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const shown = EVENT_KINDS.find(one => one === event.name)
  const kind = event.kind ?? shown ?? (event.name === undefined ? undefined : kindOf(event.name))
  const stderr = failureLine(why)
  if (answer === 'closed' && isUnknownEvent(event)) return refusedByExit(why)
  if (answer === 'closed' && kind && mayBeCall(kind, event))
    return { exitCode: 0, stdout: JSON.stringify(decided(kind, 'deny', refusal(why))), stderr }
  const hears = isUnknownEvent(event) || (kind && capabilities.events[kind]?.context === true)
  const stdout = hears ? JSON.stringify({ additionalContext: `${letPassLine(why)}. Tell the user.` }) : ''
  return { ...SILENCE, stdout, stderr }
}
