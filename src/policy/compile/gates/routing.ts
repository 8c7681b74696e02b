import type { RoutingSettings } from '../../policy.ts'
import type { RoutingDoc } from '../../schema/routing.ts'

/** Strongest layer first: it wins for each intent. Routing allows and denies nothing, so it needs no trust. */
export function mergeRouting(layers: readonly (RoutingDoc | undefined)[]): RoutingSettings | undefined {
  const defined = layers.filter(layer => layer !== undefined)
  if (defined.length === 0) return undefined
  const leader = defined.find(candidate => candidate.leader !== undefined)?.leader
  const workflows = Object.assign({}, ...defined.map(item => item.workflows ?? {}).reverse())
  return { workflows, ...(leader !== undefined && { leader }) }
}
