import { EVENT_KINDS, type Event, type EventKind, type Outcome } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import {
  denyByExitCode,
  isUnknownEvent,
  mayBeCall,
  replyOf,
  toSupportedDecision,
  unjudgedDenialLine,
  unjudgedPassLine,
} from '../adapter/encode.ts'
import { EMPTY_REPLY, type FailedEvent, failureLine, type Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './decode.ts'

/**
 * Sends only what was decided, at the top level: that is read in both payload styles, `hookSpecificOutput` only in one (1.0.102). So an
 * event that comes in both styles may get the same reply twice.
 */
export const encode = (outcome: Outcome, { kind }: Event): Reply => {
  const can = capabilities.events[kind]
  if (can === undefined) return EMPTY_REPLY
  const decision = toSupportedDecision(can, outcome)
  const input = can.rewrites?.includes(decision) ? outcome.input : undefined
  const words: JsonObject = {
    ...(decision !== 'pass' && decisionFieldsOf(kind, decision, outcome.reason || 'Decided by the Signalbox policy.')),
    ...(input && { modifiedArgs: input }),
    ...(can.context && outcome.context !== '' && { additionalContext: outcome.context }),
  }
  return replyOf(words, decision === 'deny' || decision === 'ask')
}

/** Each event has its own key for the decision. */
const decisionFieldsOf = (
  kind: EventKind,
  decision: Exclude<Outcome['decision'], 'pass'>,
  reason: string,
): JsonObject => {
  if (kind === 'tool.before') return { permissionDecision: decision, permissionDecisionReason: reason }
  if (kind === 'permission.request') return { behavior: decision, ...(decision === 'deny' && { message: reason }) }
  return { decision: 'block', reason }
}

/**
 * Exit 2 denies too, but loses the reason. For a truncated payload `event.name` may hold a canonical kind instead of Copilot's event name.
 * The client shows nothing to the user, so a pass is reported to the agent, which can pass it on.
 */
export const encodeFailure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const shown = EVENT_KINDS.find(text => text === event.name)
  const kind = event.kind ?? shown ?? (event.name === undefined ? undefined : eventKindOf(event.name))
  const stderr = failureLine(why)
  if (answer === 'closed' && isUnknownEvent(event)) return denyByExitCode(why)
  if (answer === 'closed' && kind && mayBeCall(kind, event))
    return { ...replyOf(decisionFieldsOf(kind, 'deny', unjudgedDenialLine(why)), true), stderr }
  const takesContext = isUnknownEvent(event) || (kind && capabilities.events[kind]?.context === true)
  const stdout = takesContext ? JSON.stringify({ additionalContext: `${unjudgedPassLine(why)}. Tell the user.` }) : ''
  return { ...EMPTY_REPLY, stdout, stderr }
}
