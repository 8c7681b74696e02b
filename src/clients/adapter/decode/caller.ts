import type { Caller, Event, EventKind } from '../../../engine/index.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { booleanField, stringField } from './fields.ts'

/** A subagent's payload has an `agent_id`; an `agent_type` alone means that the main agent runs as that type. */
export const callerFromAgentId = (
  payload: JsonObject,
  kind: EventKind,
  type = stringField(payload, 'agent_type'),
): Caller => {
  const id = stringField(payload, 'agent_id')
  const named = type === undefined ? {} : { type }
  if (id !== undefined) return { kind: 'agent', id, ...named }
  // an agent started or stopped, but the payload does not say which
  if (kind === 'agent.start' || kind === 'agent.stop') return { kind: 'unknown' }
  return { kind: 'main', ...named }
}

/** No `identity`: an agent starts again when it is resumed, and stops again after a denied stop. */
export const agentEventDetails = (
  payload: JsonObject,
  kind: EventKind,
): Pick<Event, 'agent' | 'answer' | 'stopActive'> => {
  const agent = kind === 'turn.stop' ? undefined : stringField(payload, 'agent_type')
  const answer = kind === 'agent.stop' ? stringField(payload, 'last_assistant_message') : undefined
  const stopActive = kind === 'agent.start' ? undefined : booleanField(payload, 'stop_hook_active')
  return {
    ...(agent !== undefined && { agent }),
    ...(answer !== undefined && { answer }),
    ...(stopActive !== undefined && { stopActive }),
  }
}
