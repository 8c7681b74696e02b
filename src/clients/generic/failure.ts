import { EVENT_KINDS } from '../../pattern/index.ts'
import { type FailedEvent, failureLine, type Reply, SILENCE } from '../client.ts'
import { mayBeCall } from '../failing.ts'

const WARNINGS = {
  input: 'Invalid input JSON',
  state: 'State read error',
  time: 'Hook timeout - allowing request',
}

/** The error table of the protocol: approved with a warning, unless the policy wants calls refused. */
export const failure = (answer: 'open' | 'closed', { name, cause, ...event }: FailedEvent, why: string): Reply => {
  const warning = cause === undefined ? `Hook error: ${why}` : WARNINGS[cause]
  const kind = event.kind ?? EVENT_KINDS.find(one => one === name)
  const words =
    answer === 'closed' && mayBeCall(kind, { name, kind })
      ? { decision: 'block', reason: `This call could not be judged, and the policy refuses it then: ${why}.`, warning }
      : { decision: 'approve', warning }
  return { ...SILENCE, stdout: JSON.stringify(words), stderr: failureLine(why) }
}
