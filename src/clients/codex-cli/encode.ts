import type { Event, EventKind, Outcome } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import {
  denyByExitCode,
  mayBeCall,
  passUnjudged,
  replyOf,
  showsMessage,
  toSupportedDecision,
} from '../adapter/encode.ts'
import { EMPTY_REPLY, type FailedEvent, type Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './decode.ts'

/**
 * Sends only what was decided. An unknown key, or a key that the event does not accept, voids the whole reply, and the call runs
 * (0.166.0). So never add a key that is not needed.
 */
export const encode = (outcome: Outcome, { kind, name }: Event): Reply => {
  const can = capabilities.events[kind]
  if (can === undefined) return EMPTY_REPLY
  const decision = toSupportedDecision(can, outcome, CONTINUE_EVENTS.has(kind))
  // a policy that ends the session gives its reason in `message`
  const reason = outcome.reason || (outcome.continue ? '' : outcome.message) || 'Decided by the Signalbox policy.'
  const inner: JsonObject = {
    ...innerDecision(kind, decision, reason, outcome.input),
    ...(can.context && outcome.context !== '' && { additionalContext: outcome.context }),
  }
  const words: JsonObject = {
    ...(!outcome.continue && CONTINUE_EVENTS.has(kind) && { continue: false, stopReason: reason }),
    ...(can.message && outcome.message !== '' && { systemMessage: outcome.message }),
    ...(decision === 'deny' && BLOCK_EVENTS.has(kind) && { decision: 'block', reason }),
    ...(Object.keys(inner).length > 0 && { hookSpecificOutput: { hookEventName: name, ...inner } }),
  }
  return replyOf(words, decision === 'deny')
}

/** Events denied by a top-level `decision: "block"`. */
const BLOCK_EVENTS: ReadonlySet<EventKind> = new Set<EventKind>([
  'prompt.submit',
  'tool.after',
  'agent.stop',
  'turn.stop',
])

/** Events that accept `continue: false`; elsewhere it becomes a denial. */
const CONTINUE_EVENTS: ReadonlySet<EventKind> = new Set<EventKind>([...BLOCK_EVENTS, 'session.start', 'compact.before'])

/** Events decided inside `hookSpecificOutput`. A rewritten input needs `allow`, which approves nothing: the permission check follows. */
const innerDecision = (
  kind: EventKind,
  decision: Outcome['decision'],
  reason: string,
  input: JsonObject | undefined,
): JsonObject => {
  if (kind === 'tool.before') {
    if (decision === 'deny') return { permissionDecision: 'deny', permissionDecisionReason: withoutFullStop(reason) }
    return input ? { permissionDecision: 'allow', updatedInput: input } : {}
  }
  if (kind !== 'permission.request' || decision === 'pass') return {}
  return { decision: decision === 'deny' ? { behavior: 'deny', message: reason } : { behavior: 'allow' } }
}

/** The client writes `… hook: <reason>. Command: …`, with its own full stop (0.166.0). An ellipsis stays. */
const withoutFullStop = (text: string): string => text.replace(/(?<!\.)\.\s*$/, '')

/** Exit 2 denies tool calls and permission requests alike, if stderr is not empty. */
export const encodeFailure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.kind ?? (event.name === undefined ? undefined : eventKindOf(event.name))
  if (answer === 'closed' && mayBeCall(kind, event)) return denyByExitCode(why)
  return passUnjudged(showsMessage(capabilities, kind, event), why)
}
