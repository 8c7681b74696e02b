import { EVENT_KINDS } from '../../engine/index.ts'
import { mayBeCall, replyOf } from '../adapter/encode.ts'
import { type FailedEvent, failureLine, type Reply } from '../client.ts'

const WARNING_BY_CAUSE = {
  input: 'Invalid input JSON',
  state: 'State read error',
  time: 'Hook timeout - allowing request',
}

/** The protocol's error table: `approve` with a warning, unless the failure mode is `closed`. */
export const encodeFailure = (
  answer: 'open' | 'closed',
  { name, cause, ...event }: FailedEvent,
  why: string,
): Reply => {
  const warning = cause === undefined ? `Hook error: ${why}` : WARNING_BY_CAUSE[cause]
  const kind = event.kind ?? EVENT_KINDS.find(one => one === name)
  const refuses = answer === 'closed' && mayBeCall(kind, { name, kind })
  const words = refuses
    ? { decision: 'block', reason: `This call could not be judged, and the policy refuses it then: ${why}.`, warning }
    : { decision: 'approve', warning }
  return { ...replyOf(words, refuses), stderr: failureLine(why) }
}
