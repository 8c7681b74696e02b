import type { Capabilities, EventKind } from '../../../engine/index.ts'
import { EMPTY_REPLY, type FailedEvent, failureLine, type Reply } from '../../client.ts'

/** Neither the payload nor the command line names the event: it may be a tool call. */
export const isUnknownEvent = ({ name, kind }: FailedEvent): boolean => name === undefined && kind === undefined

/** With `closed` a failure denies tool calls, permission requests, and events that may be either. */
export const mayBeCall = (kind: EventKind | undefined, event: FailedEvent): boolean =>
  kind === 'tool.before' || kind === 'permission.request' || isUnknownEvent(event)

/** Message to the user about a call that was not judged. */
export const unjudgedPassLine = (why: string): string => failureLine(`not judged, let pass: ${why}`)

/** Message to the model about a call that could not be judged. */
export const unjudgedDenialLine = (why: string): string =>
  failureLine(
    `this call could not be judged, and the policy refuses it then: ${why}. Tell the user; trying again will not help until it is mended.`,
  )

/** The denial that works on every client: exit 2, the reason on stderr, nothing on stdout. */
export const denyByExitCode = (why: string): Reply => ({ exitCode: 2, stdout: '', stderr: unjudgedDenialLine(why) })

/** Lets the call pass. The user gets a message where the client shows it, because clients hide stderr. */
export const passUnjudged = (shows: boolean, why: string): Reply => {
  const stdout = shows ? JSON.stringify({ systemMessage: unjudgedPassLine(why) }) : ''
  return { ...EMPTY_REPLY, stdout, stderr: failureLine(why) }
}

/** Whether the client shows a message on this event. An undecodable payload counts as `tool.before`. */
export const showsMessage = ({ events }: Capabilities, kind: EventKind | undefined, event: FailedEvent): boolean =>
  events[isUnknownEvent(event) ? 'tool.before' : (kind ?? 'other')]?.message === true
