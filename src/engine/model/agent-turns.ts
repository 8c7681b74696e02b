import type { ActionKind, EventKind, GateState } from './vocabulary.ts'

/** For each agent that has not stopped, the turn it began in. The key is the agent's id, or its type if it has no id. */
export type AgentTurns = Readonly<Record<string, number>>

/** What an event says about agents. */
interface Told {
  readonly kind: EventKind
  readonly caller: { readonly kind: string; readonly id?: string; readonly type?: string }
  readonly agent?: string
  readonly call?: { readonly acts: readonly { readonly action: ActionKind; readonly agent?: string }[] }
}

const MOST_BEGUN = 64

/** `plugin:router` and `Router` are the same agent type. */
export const agentName = (type: string): string => type.slice(type.lastIndexOf(':') + 1).toLowerCase()

export const isSameAgent = (name: string, agent: string | undefined): boolean =>
  agent !== undefined && agentName(name) === agentName(agent)

/** False for the caller kinds `main`, `agent` and `unknown`. */
export const isAgentType = (name: string): boolean => !['main', 'agent', 'unknown'].includes(name)

const typeKey = (type: string | undefined): string | undefined => type && `type:${agentName(type)}`

const ownKey = ({ caller, agent }: Told): string | undefined =>
  caller.id === undefined ? typeKey(agent ?? caller.type) : `agent:${caller.id}`

const spawnedKey = ({ call }: Told): string | undefined =>
  typeKey(call?.acts.find(act => act.action === 'spawn')?.agent)

/** If this event reports the end of an agent: the turn in which that agent began. */
export function startTurnOf(told: Told, begun: AgentTurns | undefined): number | undefined {
  if (!begun || (told.kind !== 'agent.stop' && told.kind !== 'tool.after')) return undefined
  const key = told.kind === 'agent.stop' ? ownKey(told) : spawnedKey(told)
  return key === undefined ? undefined : begun[key]
}

/** A repeated start counts again: a resumed agent works for the turn in which it was resumed. */
export function nextAgentTurns(told: Told, begun: AgentTurns | undefined, turn: number): AgentTurns | undefined {
  const own = ownKey(told)
  if (told.kind === 'agent.stop') return own === undefined ? begun : without(begun, own)
  if (told.kind === 'agent.start') return own === undefined ? begun : marked(begun, own, turn)
  if (told.kind !== 'tool.before') return begun
  const spawned = spawnedKey(told)
  const known = own === undefined || begun?.[own] !== undefined ? begun : marked(begun, own, turn)
  return spawned === undefined ? known : marked(known, spawned, turn)
}

const marked = (begun: AgentTurns | undefined, key: string, turn: number): AgentTurns =>
  Object.fromEntries([...Object.entries(without(begun, key) ?? {}), [key, turn] as const].slice(-MOST_BEGUN))

const without = (begun: AgentTurns | undefined, key: string): AgentTurns | undefined =>
  begun?.[key] === undefined ? begun : Object.fromEntries(Object.entries(begun).filter(([one]) => one !== key))

interface Closable {
  readonly scope: string
  readonly transitions: readonly { readonly to: GateState; readonly events: readonly EventKind[] }[]
}

/** An agent begun under an earlier prompt cannot open a gate closed by a later one. Project gates count turns of many sessions. */
export const isStaleAnswer = (
  { scope, transitions }: Closable,
  began: number | undefined,
  closed: number | undefined,
) =>
  began !== undefined &&
  closed !== undefined &&
  began < closed &&
  scope !== 'project' &&
  transitions.some(({ to, events }) => to === 'closed' && events.includes('prompt.submit'))
