import { EVENT_KINDS, type Event, type Outcome } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { mayBeCall, replyOf } from '../adapter/encode.ts'
import { type DecisionMetadata, type FailedEvent, failureLine, type Reply } from '../client.ts'

/** Version of the protocol, not of Signalbox. */
const ENFORCEMENT_VERSION = '1.0.0'

/** The protocol requires a reply: no opinion is sent as `approve`. `continue: false` is sent as `block`, its strongest reply. */
export const encode = (
  { decision, reason, context, message, ...more }: Outcome,
  _event: Event,
  judged?: DecisionMetadata,
): Reply => {
  const blocked = decision === 'deny' || decision === 'ask' || !more.continue
  const warning = [context, message].filter(Boolean).join('\n')
  const words: JsonObject = {
    decision: blocked ? 'block' : 'approve',
    ...(blocked && { reason: reason || 'Decided by the Signalbox policy.' }),
    ...(warning !== '' && { warning }),
    ...(judged && { metadata: metadataOf(judged) }),
  }
  return replyOf(words, blocked)
}

const metadataOf = ({ status, tookMs }: DecisionMetadata): JsonObject => ({
  ...(status !== undefined && { routing_status: status }),
  enforcement_version: ENFORCEMENT_VERSION,
  decision_time_ms: tookMs,
})

const WARNING_BY_CAUSE = {
  input: 'Invalid input JSON',
  state: 'State read error',
  time: 'Hook timeout - allowing request',
}

/** Other agents' names of the event before a call, as in `bin/signalbox.cjs`. */
const NAMES_OF_CALLS = /^(pre_?tool_?use|before_?tool|permission[_.]?request)$/i

/** The protocol's error table: `approve` with a warning, unless the failure mode is `closed`. */
export const encodeFailure = (
  answer: 'open' | 'closed',
  { name, cause, ...event }: FailedEvent,
  why: string,
): Reply => {
  const warning = cause === undefined ? `Hook error: ${why}` : WARNING_BY_CAUSE[cause]
  const kind = event.kind ?? EVENT_KINDS.find(text => text === name)
  const refuses = answer === 'closed' && (mayBeCall(kind, { name, kind }) || NAMES_OF_CALLS.test(name ?? ''))
  const words = refuses
    ? { decision: 'block', reason: `This call could not be evaluated, so the policy denies it: ${why}.`, warning }
    : { decision: 'approve', warning }
  return { ...replyOf(words, refuses), stderr: failureLine(why) }
}
