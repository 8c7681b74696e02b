import type { Layer } from '../../pattern/index.ts'
import type { Policy, Side } from '../policy.ts'
import type { SettingsDoc } from '../schema/policy.ts'
import type { RoutingDoc } from '../schema/routing.ts'
import { mergeRouting } from './routing.ts'
import { orchestratorOf } from './settings.ts'
import { mergeWorkflows } from './workflow.ts'

interface Said {
  readonly layer: Layer
  readonly settings: SettingsDoc
  readonly routing: RoutingDoc | undefined
  readonly workflows: Policy['workflows']
}

/** Strongest layer first. Only what agents are told in files: what is in force is merged of all. */
export function sidesOf(all: readonly Said[]): Pick<Policy, 'sides'> {
  const project = sideOf(all.filter(({ layer }) => isProjects(layer)))
  const user = sideOf(all.filter(({ layer }) => !isProjects(layer)))
  return project || user ? { sides: { ...(project && { project }), ...(user && { user }) } } : {}
}

const isProjects = (layer: Layer): boolean => layer === 'project' || layer === 'nested'

function sideOf(said: readonly Said[]): Side | undefined {
  const routing = mergeRouting(said.map(one => one.routing))
  const side = {
    ...orchestratorOf(said.flatMap(({ settings }) => settings.orchestrator ?? [])),
    ...(routing && { routing }),
    ...mergeWorkflows(said.map(one => one.workflows)),
  }
  return Object.keys(side).length > 0 ? side : undefined
}
