import type { Gate } from '../core/index.ts'
import type { EventKind } from '../pattern/index.ts'
import type { Policy } from '../policy/index.ts'
import { rulesOf } from './atom.ts'
import type { ProofClient } from './view.ts'

/** What the proof does not cover, and what the policy asks of clients that do not have it. */
export function notesOn(
  policy: Policy,
  clients: readonly ProofClient[],
  unjudged: readonly string[],
): readonly string[] {
  const own = policy.gates.filter(gate => gate.layer !== 'built-in')
  const code = own.filter(gate => gate.code !== undefined).map(gate => gate.name)
  const long = own.filter(gate => (gate.routes?.list.length ?? 0) > 300).map(gate => gate.name)
  return [
    ...(code.length > 0 ? [`not looked into: the code of ${code.join(', ')}`] : []),
    ...(policy.hooks.length > 0
      ? [`not looked into: ${policy.hooks.length} hooks of your own, which may refuse what they like`]
      : []),
    ...(long.length > 0 ? [`too many routes to try each: ${long.join(', ')}`] : []),
    ...(unjudged.length > 0 ? [`no event could be made to try ${unjudged.join(', ')}`] : []),
    ...own.flatMap(gate => missingOn(gate, clients)),
  ]
}

/** Transitions and rules about events that a client does not have. */
function missingOn(gate: Gate, clients: readonly ProofClient[]): readonly string[] {
  const parts = [...gate.transitions.filter(one => !one.clock), ...rulesOf(gate)]
  return parts.flatMap(({ id, events }) => {
    const lacking = clients.filter(({ capabilities }) => !events.some(kind => kind in capabilities.events))
    if (lacking.length === 0) return []
    const kinds = [...new Set<EventKind>(events)].map(kind => `\`${kind}\``).join(', ')
    return [`${gate.name}/${id} is never heard on ${lacking.map(one => one.id).join(', ')}: no ${kinds} there`]
  })
}
