import type { Event, Outcome } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { replyOf } from '../adapter/encode.ts'
import type { DecisionMetadata, Reply } from '../client.ts'

/** Version of the protocol, not of Signalbox. */
const ENFORCEMENT_VERSION = '1.0.0'

/** Always replies: no opinion is `approve` (D2). `continue: false` is a `block`, the strongest reply there is. */
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
