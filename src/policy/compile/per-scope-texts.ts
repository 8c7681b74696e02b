import type { Layer } from '../../engine/index.ts'
import type { OrchestrationSettings, Policy } from '../policy.ts'
import type { SettingsDoc } from '../schema/policy.ts'
import type { RoutingDoc } from '../schema/routing.ts'
import { mergeRouting } from './gates/routing.ts'
import { mergeWorkflows } from './gates/workflow.ts'
import { mergeOrchestrators } from './settings.ts'

interface LayerTexts {
  readonly layer: Layer
  readonly settings: SettingsDoc
  readonly routing: RoutingDoc | undefined
  readonly workflows: Policy['workflows']
}

/** Strongest layer first. Used only for the docs written for agents: the settings in force are merged from all layers. */
export function textsPerScope(all: readonly LayerTexts[]): Pick<Policy, 'sides'> {
  const project = mergeScopeTexts(all.filter(({ layer }) => isProjectLayer(layer)))
  const user = mergeScopeTexts(all.filter(({ layer }) => !isProjectLayer(layer)))
  return project || user ? { sides: { ...(project && { project }), ...(user && { user }) } } : {}
}

const isProjectLayer = (layer: Layer): boolean => layer === 'project' || layer === 'nested'

function mergeScopeTexts(layerTexts: readonly LayerTexts[]): OrchestrationSettings | undefined {
  const routing = mergeRouting(layerTexts.map(layerText => layerText.routing))
  const side = {
    ...mergeOrchestrators(layerTexts.flatMap(({ settings }) => settings.orchestrator ?? [])),
    ...(routing && { routing }),
    ...mergeWorkflows(layerTexts.map(layerText => layerText.workflows)),
  }
  return Object.keys(side).length > 0 ? side : undefined
}
