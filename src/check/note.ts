import type { Gate } from '../core/index.ts'
import type { EventKind } from '../pattern/index.ts'
import type { Policy } from '../policy/index.ts'
import { rulesOf } from './atom.ts'
import { type ProofClient, tellsOf } from './view.ts'

/** What the proof does not cover: with one of these it is none. */
export function unseenIn({ gates, hooks }: Policy, unjudged: readonly string[]): readonly string[] {
  const own = ownIn(gates)
  const code = own.filter(gate => gate.code !== undefined).map(gate => gate.name)
  const long = own.filter(gate => (gate.routes?.list.length ?? 0) > MOST_ROUTES).map(gate => gate.name)
  return [
    ...(code.length > 0 ? [`not looked into: the code of ${code.join(', ')}`] : []),
    ...(hooks.length > 0 ? [`not looked into: ${hooksOf(hooks.length)} of your own, which may refuse anything`] : []),
    ...(long.length > 0 ? [`too many routes to try each: ${long.join(', ')}`] : []),
    ...(unjudged.length > 0 ? [`no event could be made to try ${unjudged.join(', ')}`] : []),
  ]
}

const hooksOf = (count: number): string => (count === 1 ? 'a hook' : `${count} hooks`)

/** Of one table. Longer ones are data. */
export const MOST_ROUTES = 300

/** What the policy asks of clients that do not have it. */
export const notesOn = ({ gates }: Policy, clients: readonly ProofClient[]): readonly string[] =>
  ownIn(gates).flatMap(gate => missingOn(gate, clients))

const ownIn = (gates: readonly Gate[]): readonly Gate[] => gates.filter(gate => gate.layer !== 'built-in')

/** Transitions and rules about events that a client does not have. */
function missingOn(gate: Gate, clients: readonly ProofClient[]): readonly string[] {
  const parts = [...gate.transitions.filter(one => !one.clock), ...rulesOf(gate)]
  return parts.flatMap(({ id, events }) => {
    const lacking = clients.filter(client => !events.some(kind => tellsOf(client, kind)))
    if (lacking.length === 0) return []
    const kinds = [...new Set<EventKind>(events)].map(kind => `\`${kind}\``).join(', ')
    return [`${gate.name}/${id} is never heard on ${lacking.map(one => one.id).join(', ')}: no ${kinds} there`]
  })
}
