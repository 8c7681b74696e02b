import { type FailedEvent, failureLine, type Reply, SILENCE } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { kindOf } from './events.ts'

/**
 * BeforeTool is denied by exit 2 with the reason on stderr and nothing on stdout: JSON there would be used whatever the
 * exit code. What passes is said to the person where the client shows it: stderr only goes to its debug drawer.
 */
export const failure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.name === undefined ? event.kind : kindOf(event.name)
  if (answer === 'closed' && kind === 'tool.before')
    return { exitCode: 2, stdout: '', stderr: failureLine(refusal(why)) }
  const seen = kind !== undefined && capabilities.events[kind]?.message === true
  const stdout = seen ? JSON.stringify({ systemMessage: failureLine(`not judged, let pass: ${why}`) }) : ''
  return { ...SILENCE, stdout, stderr: failureLine(why) }
}

const refusal = (why: string): string =>
  `this call could not be judged, and the policy refuses it then: ${why}. Tell the user; trying again will not help until it is mended.`
