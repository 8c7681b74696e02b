import { callerKey } from '../../../analysis/explain/index.ts'
import type { Gate, GateVariables } from '../../../engine/index.ts'
import type { AgentLane, GateSpan, GateTimeline, SessionEvent } from '../api.ts'

/** A part of a session, and what is known of its gates beside it. */
export interface TimelineView {
  readonly events: readonly SessionEvent[]
  readonly lanes: readonly AgentLane[]
  readonly gates: readonly Gate[]
  /** what other sessions did to gates of the project meanwhile, oldest first */
  readonly others: readonly GateMoveEvent[]
  /** the last move of a gate before what is shown: its state then */
  readonly before: (gate: Gate, lane: AgentLane | undefined) => GateSpan['state'] | undefined
  /** by gate, and `gate@caller`: as it is now, and since when */
  readonly now: Readonly<Record<string, GateVariables>>
  /** null: it goes on */
  readonly end: number | null
}

export type GateMoveEvent = Pick<SessionEvent, 'n' | 'at' | 'moves'>

/** One line for each gate, and for each agent that has its own of it. What is not known is not drawn. */
export function gateTimelines(shown: TimelineView): readonly GateTimeline[] {
  const known = new Map(shown.gates.map(gate => [gate.id, gate]))
  const moved = [...shown.events, ...shown.others].flatMap(({ moves }) => moves.map(({ gate }) => gate))
  const stateful = shown.gates.filter(({ initial }) => initial !== undefined).map(({ id }) => id)
  return [...new Set([...moved, ...stateful])].flatMap(id => {
    const gate = known.get(id)
    // of one that is not in the policy any more nobody knows whose its state was
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
  const own = lane === undefined ? shown.events : shown.events.filter(one => one.lane === lane)
  const all = gate?.scope === 'project' ? [...own, ...shown.others].sort((a, b) => a.n - b.n) : own
  const spans = gateSpansOf(shown, id, all) ?? (gate && unmovedSpan(shown, gate, lane))
  if (!spans) return []
  const whose = lane === undefined ? {} : { lane }
  return [{ gate: id, name: id.slice(id.indexOf('/') + 1), ...whose, spans }]
}

/** Before its first move it was what that moved it from. */
function gateSpansOf(
  { events, end }: TimelineView,
  gate: string,
  moved: readonly GateMoveEvent[],
): readonly GateSpan[] | undefined {
  const steps = moved.flatMap(({ n, at, moves }) =>
    moves.filter(one => one.gate === gate).map(({ from, to }) => ({ n, at, from, to })),
  )
  const [first] = steps
  if (!first) return undefined
  const begin: GateSpan = { state: first.from, from: events[0]?.at ?? first.at, to: first.at, n: null }
  const all = [begin, ...steps.map(({ n, at, to }, nth) => ({ state: to, from: at, to: steps[nth + 1]?.at ?? end, n }))]
  // others go on when this one is over
  return end === null ? all : all.filter(({ from }) => from <= end)
}

/** Nothing that is shown moved it. */
function unmovedSpan(
  { events, lanes, before, now, end }: TimelineView,
  gate: Gate,
  nth?: number,
): readonly GateSpan[] | undefined {
  const lane = nth === undefined ? undefined : lanes[nth]
  const [from, last] = [events[0]?.at, events.at(-1)?.at]
  if (from === undefined || last === undefined) return undefined
  const memory = now[lane ? `${gate.id}@${laneKeyOf(lane)}` : gate.id]
  // what it is now, it is since then
  if (memory && memory.changed.at <= last)
    return [{ state: memory.state, from: Math.max(from, memory.changed.at), to: end, n: null }]
  const state = before(gate, lane)
  return state && [{ state, from, to: end, n: null }]
}

const laneKeyOf = (lane: AgentLane): string =>
  lane.agent === undefined ? callerKey(lane).slice(1) : `agent:${lane.agent}`
