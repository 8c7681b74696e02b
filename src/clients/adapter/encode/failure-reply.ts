import type { Capabilities, EventKind } from '../../../engine/index.ts'
import { EMPTY_REPLY, type FailedEvent, failureLine, type Reply } from '../../client.ts'

/** Nothing tells what it is: neither the payload nor the command line. It may be a call. */
export const isUnknownEvent = ({ name, kind }: FailedEvent): boolean => name === undefined && kind === undefined

/** With `closed` a failure refuses calls, requests for permission, and what may be one. */
export const mayBeCall = (kind: EventKind | undefined, event: FailedEvent): boolean =>
  kind === 'tool.before' || kind === 'permission.request' || isUnknownEvent(event)

/** What the person reads of a call that nobody judged. */
export const unjudgedPassLine = (why: string): string => failureLine(`not judged, let pass: ${why}`)

/** To the model: a call that nobody could judge. */
export const unjudgedDenialLine = (why: string): string =>
  failureLine(
    `this call could not be judged, and the policy refuses it then: ${why}. Tell the user; trying again will not help until it is mended.`,
  )

/** The one refusal that holds on every client: exit 2, the reason on stderr, nothing on stdout. */
export const denyByExitCode = (why: string): Reply => ({ exitCode: 2, stdout: '', stderr: unjudgedDenialLine(why) })

/** What passes is said to the person where the client shows it: it hides stderr. */
export const passUnjudged = (shows: boolean, why: string): Reply => {
  const stdout = shows ? JSON.stringify({ systemMessage: unjudgedPassLine(why) }) : ''
  return { ...EMPTY_REPLY, stdout, stderr: failureLine(why) }
}

/** Does the client show the person a message with this event? One that nobody could read is answered as the call that it may be. */
export const showsMessage = ({ events }: Capabilities, kind: EventKind | undefined, event: FailedEvent): boolean =>
  events[isUnknownEvent(event) ? 'tool.before' : (kind ?? 'other')]?.message === true
