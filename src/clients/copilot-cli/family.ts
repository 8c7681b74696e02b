import type { Caller } from '../../core/index.ts'
import type { EventKind, JsonObject } from '../../pattern/index.ts'
import { word } from './fields.ts'

/** Inside an agent there is an `agentId`. */
export function callerOf(payload: JsonObject, kind: EventKind): Caller {
  const id = word(payload, 'agentId')
  const type = word(payload, 'agentType') ?? word(payload, 'agentName')
  if (id !== undefined) return { kind: 'agent', id, ...(type !== undefined && { type }) }
  // before there was an id, an agent's start and stop told only its name
  return { kind: kind === 'agent.start' || kind === 'agent.stop' ? 'unknown' : 'main' }
}

/**
 * An agent calls under a session of its own (1.0.102). The main agent's is named by the folder of the transcript, where there is one; by
 * a request for permission; else there is only the parent, which may be an agent too: the runtime knows whose.
 */
export function sessionOf(payload: JsonObject): string {
  const own = word(payload, 'sessionId') ?? ''
  const agent = word(payload, 'agentId')
  if (agent === undefined) return own
  const folder = /[\\/]session-state[\\/]([^\\/]+)[\\/][^\\/]+$/.exec(word(payload, 'transcriptPath') ?? '')?.[1]
  return folder ?? (own === agent ? (word(payload, 'parentAgentId') ?? own) : own)
}
