import type { Caller, Event, EventKind } from '../../../engine/index.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { booleanField, stringField } from './fields.ts'

/** Inside a subagent there is an `agent_id`; a type alone is the main agent running as that agent. */
export const callerFromAgentId = (
  payload: JsonObject,
  kind: EventKind,
  type = stringField(payload, 'agent_type'),
): Caller => {
  const id = stringField(payload, 'agent_id')
  const named = type === undefined ? {} : { type }
  if (id !== undefined) return { kind: 'agent', id, ...named }
  // some agent started or stopped, without saying which
  if (kind === 'agent.start' || kind === 'agent.stop') return { kind: 'unknown' }
  return { kind: 'main', ...named }
}

/** No identity: one agent starts again when it is resumed, and stops again when a stop was refused. */
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
