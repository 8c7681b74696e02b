import type { Capabilities, Capability, Event, EventKind, Outcome } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { EMPTY_REPLY, type FailedEvent, failureLine, type Reply } from '../client.ts'

/** Details of a client that is answered with `hookSpecificOutput`. */
export interface HookReplyFormat {
  readonly capabilities: Capabilities
  readonly kindOf: (name: string) => EventKind
  /** events on which `continue: false` would make the agent continue */
  readonly continuesOn?: ReadonlySet<EventKind>
  /** how many characters of a text the client shows */
  readonly longestText?: number
}

/** Sends only what was decided: an empty reply is no opinion, while an explicit allow would skip the user's own prompt. */
export const createEncoder =
  ({ capabilities, continuesOn, longestText = Number.POSITIVE_INFINITY }: HookReplyFormat) =>
  (outcome: Outcome, { kind, name }: Event): Reply => {
    const short = (text: string): string => shortenText(text, longestText)
    const can = capabilities.events[kind]
    if (can === undefined) return EMPTY_REPLY
    const decision = can.can.includes(outcome.decision) ? outcome.decision : 'pass'
    const reason = outcome.reason === '' ? 'Decided by the Signalbox policy.' : short(outcome.reason)
    const input = can.rewrites?.includes(decision) ? outcome.input : undefined
    const inner: JsonObject = {
      ...innerDecision(kind, decision, reason, input),
      ...(can.context && outcome.context !== '' && { additionalContext: short(outcome.context) }),
    }
    // on a permission request the client itself asks, so the reason of an `ask` is shown beside its question
    const why = kind === 'permission.request' && decision === 'ask' ? outcome.reason : ''
    const message = [why, can.message ? outcome.message : ''].filter(Boolean).join('\n')
    const words: JsonObject = {
      ...(!outcome.continue && continuesOn?.has(kind) !== true && { continue: false }),
      ...(outcome.suppressOutput && { suppressOutput: true }),
      ...(message !== '' && { systemMessage: short(message) }),
      ...(decision === 'deny' && BLOCK_EVENTS.has(kind) && { decision: 'block', reason }),
      // without the right `hookEventName` the whole object may be ignored
      ...(Object.keys(inner).length > 0 && { hookSpecificOutput: { hookEventName: name, ...inner } }),
    }
    // a permission request is already the client's own question
    return replyOf(words, decision === 'deny' || (decision === 'ask' && kind !== 'permission.request'))
  }

/** Leaves room for the note about the cut, and never cuts a surrogate pair in half. */
function shortenText(text: string, longest: number): string {
  if (text.length <= longest) return text
  const length = longest - 100
  const last = text.charCodeAt(length - 1)
  const cut = text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
  return `${cut}… (cut: ${text.length} characters in all)`
}

/** The reply with these fields; empty if there are none. */
export const replyOf = (words: JsonObject, refuses: boolean): Reply =>
  Object.keys(words).length === 0 ? EMPTY_REPLY : { ...EMPTY_REPLY, stdout: JSON.stringify(words), ...mark(refuses) }

const mark = (refuses: boolean): Pick<Reply, 'refuses'> => (refuses ? { refuses } : {})

/** Events denied by a top-level `decision: "block"`. */
const BLOCK_EVENTS: ReadonlySet<EventKind> = new Set<EventKind>([
  'prompt.submit',
  'tool.after',
  'tool.failed',
  'agent.stop',
  'turn.stop',
  'compact.before',
])

/** Events decided inside `hookSpecificOutput`. */
const innerDecision = (
  kind: EventKind,
  decision: Outcome['decision'],
  reason: string,
  input: JsonObject | undefined,
): JsonObject => {
  const updated: JsonObject = input ? { updatedInput: input } : {}
  if (kind === 'tool.before')
    return {
      ...(decision !== 'pass' && { permissionDecision: decision, permissionDecisionReason: reason }),
      ...updated,
    }
  if (kind !== 'permission.request' || decision === 'pass' || decision === 'ask') return {}
  const deny = decision === 'deny'
  return { decision: deny ? { behavior: 'deny', message: reason } : { behavior: 'allow', ...updated } }
}

/**
 * The most reliable reply to a failure. A call is denied by exit 2 with the reason on stderr, a permission request only by
 * its JSON: there the client ignores exit 2.
 */
export const createFailureEncoder =
  ({ capabilities, kindOf }: HookReplyFormat) =>
  (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
    const kind = event.kind ?? (event.name === undefined ? undefined : kindOf(event.name))
    if (answer === 'closed' && (kind === 'tool.before' || isUnknownEvent(event))) return denyByExitCode(why)
    if (answer === 'closed' && kind === 'permission.request') {
      const decision = { behavior: 'deny', message: unjudgedDenialLine(why) }
      const stdout = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })
      return { exitCode: 0, stdout, stderr: failureLine(why), refuses: true }
    }
    return passUnjudged(showsMessage(capabilities, kind, event), why)
  }

/** Neither the payload nor the command line names the event: it may be a tool call. */
export const isUnknownEvent = ({ name, kind }: FailedEvent): boolean => name === undefined && kind === undefined

/** With `closed` a failure denies tool calls, permission requests, and events that may be either. */
export const mayBeCall = (kind: EventKind | undefined, event: FailedEvent): boolean =>
  kind === 'tool.before' || kind === 'permission.request' || isUnknownEvent(event)

/** Message to the user about a call that was not judged. */
export const unjudgedPassLine = (why: string): string => failureLine(`allowed without a check: ${why}`)

/** Message to the model about a call that could not be judged. */
export const unjudgedDenialLine = (why: string): string =>
  failureLine(
    `this call could not be evaluated, so the policy denies it: ${why}. Tell the user; trying again will not help until this is fixed.`,
  )

/** The denial that works on every client: exit 2, the reason on stderr, nothing on stdout. */
export const denyByExitCode = (why: string): Reply => ({
  exitCode: 2,
  stdout: '',
  stderr: unjudgedDenialLine(why),
  refuses: true,
})

/** Lets the call pass. The user gets a message where the client shows it, because clients hide stderr. */
export const passUnjudged = (shows: boolean, why: string): Reply => {
  const stdout = shows ? JSON.stringify({ systemMessage: unjudgedPassLine(why) }) : ''
  return { ...EMPTY_REPLY, stdout, stderr: failureLine(why) }
}

/** Whether the client shows a message on this event. An undecodable payload counts as `tool.before`. */
export const showsMessage = ({ events }: Capabilities, kind: EventKind | undefined, event: FailedEvent): boolean =>
  events[isUnknownEvent(event) ? 'tool.before' : (kind ?? 'other')]?.message === true

/** The decision in terms of this event. `continue: false` becomes a denial where it cannot end the session (`ends` is false). */
export const toSupportedDecision = ({ can }: Capability, outcome: Outcome, ends = false): Outcome['decision'] => {
  if (!outcome.continue && !ends && can.includes('deny')) return 'deny'
  return can.includes(outcome.decision) ? outcome.decision : 'pass'
}
