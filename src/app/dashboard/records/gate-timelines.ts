import { callerKey } from '../../../analysis/simulator/index.ts'
import type { Gate, GateVariables } from '../../../engine/index.ts'
import type { AgentLane, GateSpan, GateTimeline, SessionEvent } from '../api.ts'

/** The shown part of a session, and what is known about its gates outside of it. */
export interface TimelineView {
  readonly events: readonly SessionEvent[]
  readonly lanes: readonly AgentLane[]
  readonly gates: readonly Gate[]
  /** moves of project gates by other sessions in the same time, oldest first */
  readonly others: readonly GateMoveEvent[]
  /** the gate's state before the shown part */
  readonly before: (gate: Gate, lane: AgentLane | undefined) => GateSpan['state'] | undefined
  /** the current state and its start, by `gate` or `gate@caller` */
  readonly now: Readonly<Record<string, GateVariables>>
  /** null: the session continues */
  readonly end: number | null
}

export type GateMoveEvent = Pick<SessionEvent, 'n' | 'at' | 'moves'>

/** One timeline for each gate, and for each agent if the gate has `scope: agent`. Unknown states are left out. */
export function gateTimelines(shown: TimelineView): readonly GateTimeline[] {
  const known = new Map(shown.gates.map(gate => [gate.id, gate]))
  const moved = [...shown.events, ...shown.others].flatMap(({ moves }) => moves.map(({ gate }) => gate))
  const stateful = shown.gates.filter(({ initial }) => initial !== undefined).map(({ id }) => id)
  return [...new Set([...moved, ...stateful])].flatMap(id => {
    const gate = known.get(id)
    // the scope of a gate that is no longer in the policy is unknown
    if (gate?.scope !== 'agent') return gateTimelineOf(shown, id, gate)
    return shown.lanes.flatMap((_, lane) => gateTimelineOf(shown, id, gate, lane))
  })
}

function gateTimelineOf(
  shown: TimelineView,
  id: string,
  gate: Gate | undefined,
  lane?: number,
): readonly GateTimeline[] {
  const own = lane === undefined ? shown.events : shown.events.filter(event => event.lane === lane)
  const all = gate?.scope === 'project' ? [...own, ...shown.others].sort((a, b) => a.n - b.n) : own
  const spans = gateSpansOf(shown, id, all) ?? (gate && unmovedSpan(shown, gate, lane))
  if (!spans) return []
  const whose = lane === undefined ? {} : { lane }
  return [{ gate: id, name: id.slice(id.indexOf('/') + 1), ...whose, spans }]
}

/** Before its first move the gate was in that move's `from` state. */
function gateSpansOf(
  { events, end }: TimelineView,
  gate: string,
  moved: readonly GateMoveEvent[],
): readonly GateSpan[] | undefined {
  const steps = moved.flatMap(({ n, at, moves }) =>
    moves.filter(move => move.gate === gate).map(({ from, to }) => ({ n, at, from, to })),
  )
  const [first] = steps
  if (!first) return undefined
  const begin: GateSpan = { state: first.from, from: events[0]?.at ?? first.at, to: first.at, n: null }
  const all = [begin, ...steps.map(({ n, at, to }, nth) => ({ state: to, from: at, to: steps[nth + 1]?.at ?? end, n }))]
  // other sessions may continue after this one has ended
  return end === null ? all : all.filter(({ from }) => from <= end)
}

/** The span of a gate that no shown event moved. */
function unmovedSpan(
  { events, lanes, before, now, end }: TimelineView,
  gate: Gate,
  nth?: number,
): readonly GateSpan[] | undefined {
  const lane = nth === undefined ? undefined : lanes[nth]
  const [from, last] = [events[0]?.at, events.at(-1)?.at]
  if (from === undefined || last === undefined) return undefined
  const memory = now[lane ? `${gate.id}@${laneKeyOf(lane)}` : gate.id]
  // the current state began at `changed.at`
  if (memory && memory.changed.at <= last)
    return [{ state: memory.state, from: Math.max(from, memory.changed.at), to: end, n: null }]
  const state = before(gate, lane)
  return state && [{ state, from, to: end, n: null }]
}

const laneKeyOf = (lane: AgentLane): string =>
  lane.agent === undefined ? callerKey(lane).slice(1) : `agent:${lane.agent}`
