import type { Caller } from '../../core/index.ts'
import { agentName } from '../../core/index.ts'
import type { JsonObject } from '../../pattern/index.ts'
import { object, text } from '../wire.ts'

/** The one agent the protocol itself knows, by its name or by its role. */
export const ROUTER = 'router'

/** A name without an id is the main agent running as that agent (D3). */
export function callerOf(payload: JsonObject): Caller {
  const id = text(payload, 'agent_id') ?? text(object(payload, 'context'), 'agent_id')
  const type = typeOf(payload)
  const named = type === undefined ? {} : { type }
  return id === undefined ? { kind: 'main', ...named } : { kind: 'agent', id, ...named }
}

export const isRouter = (payload: JsonObject): boolean => isRouterName(typeOf(payload))

/** One who is the router by either word is the router. */
function typeOf(payload: JsonObject): string | undefined {
  const context = object(payload, 'context')
  const words = [text(context, 'agent_name'), text(context, 'agent_role')].filter(word => word !== undefined)
  return words.find(isRouterName) ?? words[0]
}

const isRouterName = (word: string | undefined): boolean => word !== undefined && agentName(word) === ROUTER
