import type { Capability } from '../core/index.ts'
import { failureLine, type Reply, SILENCE } from './client.ts'

/** To the model: a call that nobody could judge. */
export const refusal = (why: string): string =>
  failureLine(
    `this call could not be judged, and the policy refuses it then: ${why}. Tell the user; trying again will not help until it is mended.`,
  )

/** The one refusal that holds on every client: exit 2, the reason on stderr, nothing on stdout. */
export const refusedByExit = (why: string): Reply => ({ exitCode: 2, stdout: '', stderr: refusal(why) })

/** What passes is said to the person where the client shows it: it hides stderr. */
export const letPass = (can: Capability | undefined, why: string): Reply => {
  const stdout =
    can?.message === true ? JSON.stringify({ systemMessage: failureLine(`not judged, let pass: ${why}`) }) : ''
  return { ...SILENCE, stdout, stderr: failureLine(why) }
}
