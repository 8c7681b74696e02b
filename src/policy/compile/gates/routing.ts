import type { RoutingSettings } from '../../policy.ts'
import type { RoutingDoc } from '../../schema/routing.ts'

/** Strongest layer first: it wins for each intent. Routing allows and denies nothing, so it needs no trust. */
export function mergeRouting(layers: readonly (RoutingDoc | undefined)[]): RoutingSettings | undefined {
  const said = layers.filter(one => one !== undefined)
  if (said.length === 0) return undefined
  const leader = said.find(one => one.leader !== undefined)?.leader
  const workflows = Object.assign({}, ...said.map(one => one.workflows ?? {}).reverse())
  return { workflows, ...(leader !== undefined && { leader }) }
}
