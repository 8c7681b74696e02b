import type { Caller, EventKind } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { stringFieldOf } from './fields.ts'

/** Inside an agent there is an `agentId`. */
export function callerOf(payload: JsonObject, kind: EventKind): Caller {
  const id = stringFieldOf(payload, 'agentId')
  const type = stringFieldOf(payload, 'agentType') ?? stringFieldOf(payload, 'agentName')
  if (id !== undefined) return { kind: 'agent', id, ...(type !== undefined && { type }) }
  // before there was an id, an agent's start and stop told only its name
  return { kind: kind === 'agent.start' || kind === 'agent.stop' ? 'unknown' : 'main' }
}

/**
 * An agent calls under a session of its own (1.0.102). The main agent's is named by the folder of the transcript, where there is one; by
 * a request for permission; else there is only the parent, which may be an agent too: the runtime knows whose.
 */
export function sessionOf(payload: JsonObject): string {
  const own = stringFieldOf(payload, 'sessionId') ?? ''
  const agent = stringFieldOf(payload, 'agentId')
  if (agent === undefined) return own
  const folder = /[\\/]session-state[\\/]([^\\/]+)[\\/][^\\/]+$/.exec(
    stringFieldOf(payload, 'transcriptPath') ?? '',
  )?.[1]
  return folder ?? (own === agent ? (stringFieldOf(payload, 'parentAgentId') ?? own) : own)
}
