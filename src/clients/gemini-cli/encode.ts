import type { Event, Outcome } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { denyByExitCode, isUnknownEvent, passUnjudged, replyOf, showsMessage } from '../adapter/encode.ts'
import { EMPTY_REPLY, type FailedEvent, type Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './decode.ts'

/**
 * Sends only what was decided, for the client's own event: an `agent.stop` is answered on the call it was derived from. A denial is
 * a top-level `decision`; `hookSpecificOutput.permissionDecision` is not read (0.61.0).
 */
export const encode = (outcome: Outcome, { name, kind }: Event): Reply => {
  const can = capabilities.events[eventKindOf(name)]
  if (can === undefined) return EMPTY_REPLY
  const decision = can.can.includes(outcome.decision) ? outcome.decision : 'pass'
  const isShown = decision === 'ask' || (decision === 'deny' && kind === 'tool.before')
  const message = isShown ? shownMessage(outcome) : outcome.message
  const inner: JsonObject = {
    ...(can.context && outcome.context !== '' && { additionalContext: outcome.context }),
    ...(outcome.input && can.rewrites?.includes(decision) && { tool_input: outcome.input }),
  }
  const words: JsonObject = {
    ...(!outcome.continue && stopFields(outcome)),
    ...(outcome.suppressOutput && { suppressOutput: true }),
    ...(decision !== 'pass' && { decision }),
    ...(decision === 'deny' && { reason: reasonOrDefault(outcome.reason) }),
    ...(message !== '' && { systemMessage: message }),
    ...(Object.keys(inner).length > 0 && { hookSpecificOutput: { hookEventName: name, ...inner } }),
  }
  return replyOf(words, decision === 'deny' || decision === 'ask')
}

/** The client shows the message with its question. It never shows an `ask`'s reason, and a denial's only if all errors are shown. */
const shownMessage = ({ reason, message }: Outcome): string =>
  [reasonOrDefault(reason), message].filter(Boolean).join('\n')

/** The client shows `stopReason` rather than `reason`. */
const stopFields = ({ reason }: Outcome): JsonObject => ({ continue: false, stopReason: reasonOrDefault(reason) })

const reasonOrDefault = (reason: string): string => reason || 'Decided by the Signalbox policy.'

/**
 * BeforeTool is denied by exit 2 with empty stdout: the client would use JSON there for any exit code. An `agent.stop` is derived
 * from a call, so the client's own event name decides.
 */
export const encodeFailure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.name === undefined ? event.kind : eventKindOf(event.name)
  if (answer === 'closed' && (kind === 'tool.before' || isUnknownEvent(event))) return denyByExitCode(why)
  return passUnjudged(showsMessage(capabilities, kind, event), why)
}
