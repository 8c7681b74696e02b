import type { Caller } from '../../engine/index.ts'
import { agentName } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { objectField, stringField } from '../adapter/decode.ts'

/** The only agent that the protocol defines, by name or by role. */
export const ROUTER_AGENT = 'router'

/** A name without an id means that the main agent runs as that agent. */
export function callerOf(payload: JsonObject): Caller {
  const id = stringField(payload, 'agent_id') ?? stringField(objectField(payload, 'context'), 'agent_id')
  const type = agentTypeOf(payload)
  const named = type === undefined ? {} : { type }
  return id === undefined ? { kind: 'main', ...named } : { kind: 'agent', id, ...named }
}

export const isRouterPayload = (payload: JsonObject): boolean => isRouterName(agentTypeOf(payload))

/** An agent is the router if its name or its role says so. */
function agentTypeOf(payload: JsonObject): string | undefined {
  const context = objectField(payload, 'context')
  const words = [stringField(context, 'agent_name'), stringField(context, 'agent_role')].filter(
    word => word !== undefined,
  )
  return words.find(isRouterName) ?? words[0]
}

const isRouterName = (word: string | undefined): boolean => word !== undefined && agentName(word) === ROUTER_AGENT
