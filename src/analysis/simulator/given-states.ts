import { type Event, type Gate, type GateState, newSession, type Session } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'

/** Gate states by gate id, or `gate@agent` for gates with `scope: agent`. */
export type GivenStates = Readonly<Record<string, GateState>>

/** Session key of a gate's state; for `scope: agent` the main agent's unless another agent is named. */
const gateStateKey = ({ id, scope }: Gate, agent = 'main'): string =>
  scope !== 'agent' ? id : `${id}@${agent === 'main' || agent === 'unknown' ? agent : `agent:${agent}`}`

/** The gate's state in this session; for `scope: agent` that of `agent`, by default the main agent. */
export function gateStateIn({ gates, shared }: Session, gate: Gate, agent?: string): GateState | undefined {
  const key = gateStateKey(gate, agent)
  return (gates[key] ?? shared[key])?.state ?? gate.initial
}

/** Rewrites the keys of agent-scoped gates so that the states apply to the event's caller. */
export function statesSeenByCaller({ caller }: Event, given: GivenStates, { gates }: Policy): GivenStates {
  const own = (id: string): boolean => gates.some(gate => gate.id === id && gate.scope === 'agent')
  const who = caller.kind === 'agent' ? caller.id : caller.kind
  return Object.fromEntries(Object.entries(given).map(([id, state]) => [own(id) ? `${id}@${who}` : id, state]))
}

/** A session that begins now with the gates in these states. */
export function sessionWithStates(
  { session: id }: Pick<Event, 'session'>,
  { program, root, given }: { readonly program: Policy; readonly root: string; readonly given: GivenStates },
  now: number,
): Session {
  const mark = { at: now, turn: 0, operations: 0 }
  const gates: { [key: string]: Session['gates'][string] } = {}
  const shared: { [key: string]: Session['gates'][string] } = {}
  for (const [name, state] of Object.entries(given)) {
    const [, id, agent] = /^([^@]*)(?:@([\s\S]*))?$/.exec(name) ?? []
    const gate = program.gates.find(candidate => candidate.id === id)
    if (!gate) continue
    const changed = { operations: 0, changed: mark, ...(state === 'open' ? { opened: mark } : { closed: mark }) }
    if (gate.scope === 'project') shared[gate.id] = { state, turns: 0, ...changed }
    else gates[gateStateKey(gate, agent)] = { state, ...changed }
  }
  return { ...newSession(id, root, now), gates, shared }
}
