import { describeTrigger } from '../../../../analysis/explain/index.ts'
import {
  type Event,
  type Gate,
  type GateVariables,
  newSession,
  proposeTransitions,
  turnsOf,
} from '../../../../engine/index.ts'
import { regex } from '../../../../hook/services/regex.ts'
import type { Policy } from '../../../../policy/index.ts'
import type { LiveSession } from '../../../../store/index.ts'

/** The current state of one gate. Times are milliseconds since 1970; null means never. */
export interface GateStatus {
  readonly gate: string
  readonly name: string
  readonly mode: Gate['mode']
  readonly scope: Gate['scope']
  /** of a gate with `scope: agent`: the agent it belongs to */
  readonly caller?: string
  readonly state: 'open' | 'closed'
  /** a time-based transition is due: `state` is the state that the next event will find */
  readonly isDue?: true
  readonly changedAt: number | null
  readonly openedAt: number | null
  readonly closedAt: number | null
  /** counted since the state last changed */
  readonly operations: number
  readonly turns: number
  /** what moves the gate out of this state */
  readonly changedBy: readonly string[]
}

type SessionGates = Pick<LiveSession, 'gates' | 'turn'>
export type SharedGateStates = LiveSession['gates']

export interface GateStatusContext {
  readonly program: Policy
  readonly root: string
  readonly now: number
}

/** Gates with one state for the whole project. */
export const sharedGateStatuses = (where: GateStatusContext, shared: SharedGateStates): readonly GateStatus[] =>
  gateStatusesOf(where, { gates: {}, turn: 0 }, shared, gate => gate.scope === 'project')

/** Gates of one session and of its agents. Without a session: their initial states. */
export const sessionGateStatuses = (
  where: GateStatusContext,
  shared: SharedGateStates,
  session: SessionGates = { gates: {}, turn: 0 },
) => gateStatusesOf(where, session, shared, gate => gate.scope !== 'project')

function gateStatusesOf(
  where: GateStatusContext,
  known: SessionGates,
  shared: SharedGateStates,
  isWanted: (gate: Gate) => boolean,
): readonly GateStatus[] {
  const gates = where.program.gates.filter(gate => gate.initial !== undefined && isWanted(gate))
  return gates.flatMap(gate => {
    if (gate.scope !== 'agent') return [gateStatusOf(gate, where, known, shared)]
    const callers = Object.keys(known.gates).filter(key => key.startsWith(`${gate.id}@`))
    const own = callers.map(key => key.slice(gate.id.length + 1))
    return (own.length === 0 ? ['main'] : own).map(caller => gateStatusOf(gate, where, known, shared, caller))
  })
}

function gateStatusOf(
  gate: Gate,
  where: GateStatusContext,
  known: SessionGates,
  shared: SharedGateStates,
  caller?: string,
): GateStatus {
  const { root, now } = where
  const key = caller === undefined ? gate.id : `${gate.id}@${caller}`
  const stored = (gate.scope === 'project' ? shared : known.gates)[key]
  const memory = stateAfterClock(gate, where, known, shared, caller) ?? stored
  const state = memory?.state ?? gate.initial ?? 'open'
  const last = memory?.changed
  return {
    ...{ gate: gate.id, name: gate.name, mode: gate.mode, scope: gate.scope },
    ...(caller !== undefined && { caller: caller.replace(/^agent:/, '') }),
    state,
    ...(stored && stored.state !== state && { isDue: true as const }),
    changedAt: stored ? (memory?.changed.at ?? now) : null,
    openedAt: stored ? (memory?.opened?.at ?? null) : null,
    closedAt: stored ? (memory?.closed?.at ?? null) : null,
    operations: memory && last ? memory.operations - last.operations : 0,
    turns: last ? Math.max(0, (gate.scope === 'project' ? turnsOf(memory) : known.turn) - last.turn) : 0,
    changedBy: describeTransitionsFrom(gate, state, root),
  }
}

/** What moves a gate out of a state, including time-based transitions. */
function describeTransitionsFrom(
  { transitions, opens }: Gate,
  state: GateStatus['state'],
  root: string,
): readonly string[] {
  const out = transitions.filter(({ from, to }) => from.includes(state) && to !== state)
  const ways = out.map(transition => describeTrigger(transition, root))
  return state === 'closed' && opens === 'human' && ways.length === 0 ? ['a person'] : ways
}

/** Time-based transitions happen at the next event. Returns the state they would give now. */
function stateAfterClock(
  gate: Gate,
  { program, root, now }: GateStatusContext,
  { gates, turn }: SessionGates,
  shared: SharedGateStates,
  caller: string | undefined,
): GateVariables | undefined {
  if (!gate.transitions.some(({ clock }) => clock)) return undefined
  const session = { ...newSession('', root, now), gates, shared, turn }
  const id = caller?.replace(/^agent:/, '')
  const event: Event = {
    ...{ kind: 'notification', name: '', client: '', session: '', cwd: root },
    caller: id === undefined || id === caller ? { kind: 'main' } : { kind: 'agent', id },
  }
  const input = { event, session, program, facts: { now, root, env: {} }, capabilities: NO_CAPABILITIES }
  return proposeTransitions(input, { regex }).evaluation.memories.of(gate)
}

const NO_CAPABILITIES = {
  events: {},
  shortens: false,
  callers: 'marked',
  reportsExit: false,
  reportsEnd: false,
} as const
