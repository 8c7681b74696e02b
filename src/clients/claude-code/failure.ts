import { type FailedEvent, failureLine, type Reply, SILENCE } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { kindOf, NAMES } from './events.ts'

/**
 * The most certain words for a failure. PreToolUse is denied by exit 2 with the reason on stderr, PermissionRequest only by
 * its JSON: there the client ignores exit 2. What passes is said to the person where the client shows it: it hides stderr.
 */
export const failure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.kind ?? (event.name === undefined ? undefined : kindOf(event.name))
  if (answer === 'closed' && kind === 'tool.before')
    return { exitCode: 2, stdout: '', stderr: failureLine(refusal(why)) }
  if (answer === 'closed' && kind === 'permission.request') {
    const decision = { behavior: 'deny', message: failureLine(refusal(why)) }
    const stdout = JSON.stringify({ hookSpecificOutput: { hookEventName: NAMES[kind], decision } })
    return { exitCode: 0, stdout, stderr: failureLine(why) }
  }
  const seen = kind !== undefined && capabilities.events[kind]?.message === true
  const stdout = seen ? JSON.stringify({ systemMessage: failureLine(`not judged, let pass: ${why}`) }) : ''
  return { ...SILENCE, stdout, stderr: failureLine(why) }
}

const refusal = (why: string): string =>
  `this call could not be judged, and the policy refuses it then: ${why}. Tell the user; trying again will not help until it is mended.`
