import { whoOf } from '../explain/index.ts'
import type { DecisionRow, Lane, SessionEvent } from './api.ts'
import type { SessionSums } from './session-sums.ts'

type Who = Pick<DecisionRow, 'caller' | 'agent'>

/** Each event on the lane of who made it; the main agent's is the first. Rows are oldest first. */
export function lanesOf(
  rows: readonly DecisionRow[],
  agents: SessionSums['agents'],
): { readonly events: readonly SessionEvent[]; readonly lanes: readonly Lane[] } {
  const actors = new Map<string, Who>()
  for (const row of rows) if (!actors.has(whoOf(row))) actors.set(whoOf(row), row)
  const sorted = [...actors].sort(([, a], [, b]) => Number(isMain(b)) - Number(isMain(a)))
  const places = new Map(sorted.map(([who], lane) => [who, lane]))
  const events = rows.map((row): SessionEvent => ({ ...row, lane: places.get(whoOf(row)) ?? 0 }))
  const names = namesOf(agents)
  const own = sorted.map((): SessionEvent[] => [])
  for (const one of events) own[one.lane]?.push(one)
  return { events, lanes: sorted.map(([, who], lane) => laneOf(who, names, own[lane] ?? [])) }
}

const isMain = ({ caller, agent }: Who): boolean => caller === 'main' && agent === undefined

function laneOf({ caller, agent }: Who, names: ReadonlyMap<string, string>, events: readonly SessionEvent[]): Lane {
  return {
    caller,
    ...(agent !== undefined && { agent }),
    name: names.get(agent ?? '') ?? caller,
    firstAt: events[0]?.at ?? 0,
    lastAt: events.at(-1)?.at ?? 0,
    events: events.length,
    denied: events.filter(one => one.decision === 'deny').length,
  }
}

/** Who acted, as lanes are named. */
export const nameOf = ({ caller, agent }: Who, agents: SessionSums['agents'] = new Map()): string =>
  namesOf(agents).get(agent ?? '') ?? caller

/** `Explore 1`, `Explore 2` by when they first acted in the whole session: a number stays whichever part of it is looked at. */
function namesOf(agents: SessionSums['agents']): ReadonlyMap<string, string> {
  const ids = new Map<string, string[]>()
  for (const [id, { caller }] of [...agents].sort(([, a], [, b]) => a.first - b.first))
    if (!ids.get(caller)?.push(id)) ids.set(caller, [id])
  return new Map(
    [...ids].flatMap(([caller, own]) =>
      own.map((id, nth): [string, string] => [id, own.length === 1 ? caller : `${caller} ${nth + 1}`]),
    ),
  )
}
