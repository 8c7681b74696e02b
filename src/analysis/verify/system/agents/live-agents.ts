import type { Event, Session } from '../../../../engine/index.ts'

/** An agent that is still running, and the call that spawned it. */
export interface LiveAgent {
  readonly type: string
  readonly spawnEvent: Event
}

/** Does the key belong to an agent that is live now? */
export const isLiveAgentKey = (key: string, { type }: LiveAgent, { spawns }: Session): boolean =>
  key === `type:${type}` || key === `agent:${type}` || spawns.some(spawn => key === `agent:${spawn.id}`)

/** Symmetry reduction: with two live agents the caller is unknown. A third agent, or their order, makes no difference. */
export function canonicalizeAgents(session: Session): Session {
  const those = [...new Map(session.spawns.map(spawn => [spawn.call, spawn])).values()].slice(0, 2)
  const spawns = those.sort((a, b) => (a.call < b.call ? -1 : 1)).map((one, at) => ({ ...one, id: `n${at}` }))
  const ids = new Map(those.map((one, at) => [one.id, `n${at}`]))
  const name = (key: string): string => {
    const [head = '', id] = key.split('agent:')
    return id === undefined ? key : `${head}agent:${ids.get(id) ?? id}`
  }
  const keyed = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [name(key), value]))
  return { ...session, spawns, gates: keyed(session.gates), ...(session.begun && { begun: keyed(session.begun) }) }
}
