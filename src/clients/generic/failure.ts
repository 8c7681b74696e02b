import { EVENT_KINDS } from '../../pattern/index.ts'
import { type FailedEvent, failureLine, type Reply, SILENCE } from '../client.ts'

/** The error table of the protocol: approved with a warning, unless the policy wants calls refused. */
export const failure = (answer: 'open' | 'closed', { name, cause, ...event }: FailedEvent, why: string): Reply => {
  const warning =
    cause === 'input' ? 'Invalid input JSON' : cause === 'state' ? 'State read error' : `Hook error: ${why}`
  const kind = event.kind ?? EVENT_KINDS.find(one => one === name)
  const refusable = kind === 'tool.before' || kind === 'permission.request'
  const words =
    answer === 'closed' && refusable
      ? { decision: 'block', reason: `This call could not be judged, and the policy refuses it then: ${why}.`, warning }
      : { decision: 'approve', warning }
  return { ...SILENCE, stdout: JSON.stringify(words), stderr: failureLine(why) }
}
