import type { Event, EventKind, Outcome } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { replyOf, toSupportedDecision } from '../adapter/encode.ts'
import { EMPTY_REPLY, type Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'

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
export const decisionFieldsOf = (
  kind: EventKind,
  decision: Exclude<Outcome['decision'], 'pass'>,
  reason: string,
): JsonObject => {
  if (kind === 'tool.before') return { permissionDecision: decision, permissionDecisionReason: reason }
  if (kind === 'permission.request') return { behavior: decision, ...(decision === 'deny' && { message: reason }) }
  return { decision: 'block', reason }
}
