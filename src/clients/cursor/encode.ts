import type { Event, Outcome } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { denyByExitCode, isUnknownEvent, replyOf, toSupportedDecision, unjudgedPassLine } from '../adapter/encode.ts'
import { EMPTY_REPLY, type FailedEvent, failureLine, type Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { cursorEventName, eventKindOf } from './decode.ts'

/** No opinion is an empty object: empty output counts as a failed hook, which denies the call with `failClosed`. */
const NEUTRAL_REPLY: Reply = { ...EMPTY_REPLY, stdout: '{}' }

export const encode = (outcome: Outcome, { kind, name }: Event): Reply => {
  const can = capabilities.events[kind]
  if (can === undefined) return NEUTRAL_REPLY
  const decision = toSupportedDecision(can, outcome)
  const reason = outcome.reason || 'Decided by the Signalbox policy.'
  const words: JsonObject = {
    ...DECISION_ENCODERS[kind]?.(decision, reason, cursorEventName(name)),
    ...(can.context && outcome.context !== '' && { additional_context: outcome.context }),
    ...(can.message && outcome.message !== '' && { user_message: messageOf(decision, reason, outcome) }),
    ...(mayRewrite(name, decision) && outcome.input && { updated_input: outcome.input }),
  }
  if (Object.keys(words).length === 0) return NEUTRAL_REPLY
  return replyOf(words, decision === 'deny' || decision === 'ask')
}

type DecisionEncoder = (decision: Outcome['decision'], reason: string, name: string) => JsonObject

const messageOf = (decision: Outcome['decision'], reason: string, { message }: Outcome): string =>
  decision === 'deny' ? `${reason}\n${message}` : message

/** Cursor blocks on a value that the event does not support, "for safety": so each event gets only its own values. */
const encodePermission: DecisionEncoder = (decision, reason, name) => {
  if (decision === 'pass') return {}
  // reading a file can only be allowed or denied
  const permission = decision === 'ask' && name === 'beforeReadFile' ? 'deny' : decision
  const words = { permission: permission, user_message: reason }
  return name === 'beforeReadFile' || name === 'subagentStart' ? words : { ...words, agent_message: reason }
}
const encodePromptDecision: DecisionEncoder = (decision, reason) =>
  decision === 'deny' ? { continue: false, user_message: reason } : {}
const encodeStopDecision: DecisionEncoder = (decision, reason) =>
  decision === 'deny' ? { followup_message: reason } : {}

const DECISION_ENCODERS: Readonly<Partial<Record<Event['kind'], DecisionEncoder>>> = {
  'tool.before': encodePermission,
  'agent.start': encodePermission,
  'prompt.submit': encodePromptDecision,
  'agent.stop': encodeStopDecision,
  'turn.stop': encodeStopDecision,
}

const mayRewrite = (name: string, decision: Outcome['decision']): boolean =>
  cursorEventName(name) === 'preToolUse' && capabilities.events['tool.before']?.rewrites?.includes(decision) === true

/** Exit 2 denies. A pass prints an object: empty output would count as a failed hook. */
export const encodeFailure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.kind ?? (event.name === undefined ? undefined : eventKindOf(event.name))
  if (answer === 'closed' && (kind === 'tool.before' || isUnknownEvent(event))) return denyByExitCode(why)
  const seen = kind !== undefined && capabilities.events[kind]?.message === true
  const words = seen ? { user_message: unjudgedPassLine(why) } : {}
  return { ...EMPTY_REPLY, stdout: kind === undefined ? '' : JSON.stringify(words), stderr: failureLine(why) }
}
