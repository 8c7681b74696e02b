import type { Caller, EventKind } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { stringFieldOf } from './fields.ts'

/** A subagent's payload has an `agentId`. */
export function callerOf(payload: JsonObject, kind: EventKind): Caller {
  const id = stringFieldOf(payload, 'agentId')
  const type = stringFieldOf(payload, 'agentType') ?? stringFieldOf(payload, 'agentName')
  if (id !== undefined) return { kind: 'agent', id, ...(type !== undefined && { type }) }
  // older versions have no `agentId`: an agent's start and stop only have its name
  return { kind: kind === 'agent.start' || kind === 'agent.stop' ? 'unknown' : 'main' }
}

/**
 * A subagent's calls have their own session id (1.0.102). The main agent's session is the folder name of the transcript, if there is
 * one; a permission request has it too. Otherwise only the parent is known, which may be a subagent: the hook resolves it later.
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
