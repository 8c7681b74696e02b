import { callerKey } from '../../../analysis/simulator/index.ts'
import type { AgentLane, DecisionRow, SessionEvent } from '../api.ts'
import type { SessionSums } from './session-sums.ts'

type Actor = Pick<DecisionRow, 'caller' | 'agent'>

/** Puts each event on the lane of its caller; the main agent's lane is first. Rows are oldest first. */
export function agentLanesOf(
  rows: readonly DecisionRow[],
  agents: SessionSums['agents'],
): { readonly events: readonly SessionEvent[]; readonly lanes: readonly AgentLane[] } {
  const actors = new Map<string, Actor>()
  for (const row of rows) if (!actors.has(callerKey(row))) actors.set(callerKey(row), row)
  const sorted = [...actors].sort(([, a], [, b]) => Number(isMainAgent(b)) - Number(isMainAgent(a)))
  const places = new Map(sorted.map(([who], lane) => [who, lane]))
  const events = rows.map((row): SessionEvent => ({ ...row, lane: places.get(callerKey(row)) ?? 0 }))
  const names = laneNamesOf(agents)
  const own = sorted.map((): SessionEvent[] => [])
  for (const event of events) own[event.lane]?.push(event)
  return { events, lanes: sorted.map(([, who], lane) => agentLaneOf(who, names, own[lane] ?? [])) }
}

const isMainAgent = ({ caller, agent }: Actor): boolean => caller === 'main' && agent === undefined

function agentLaneOf(
  { caller, agent }: Actor,
  names: ReadonlyMap<string, string>,
  events: readonly SessionEvent[],
): AgentLane {
  return {
    caller,
    ...(agent !== undefined && { agent }),
    name: names.get(agent ?? '') ?? caller,
    firstAt: events[0]?.at ?? 0,
    lastAt: events.at(-1)?.at ?? 0,
    events: events.length,
    denied: events.filter(event => event.decision === 'deny').length,
  }
}

/** The caller's name in the timeline. */
export const laneNameOf = ({ caller, agent }: Actor, agents: SessionSums['agents'] = new Map()): string =>
  laneNamesOf(agents).get(agent ?? '') ?? caller

/** `Explore 1`, `Explore 2`, by first event in the whole session, so that numbers stay the same on every page. */
function laneNamesOf(agents: SessionSums['agents']): ReadonlyMap<string, string> {
  const ids = new Map<string, string[]>()
  for (const [id, { caller }] of [...agents].sort(([, a], [, b]) => a.first - b.first))
    if (!ids.get(caller)?.push(id)) ids.set(caller, [id])
  return new Map(
    [...ids].flatMap(([caller, own]) =>
      own.map((id, nth): [string, string] => [id, own.length === 1 ? caller : `${caller} ${nth + 1}`]),
    ),
  )
}
