import type { AgentDefinition, SettingsScope } from '../../../clients/settings.ts'
import type { OrchestrationPerOwner, Policy } from '../../../policy/index.ts'
import type { InstallPaths } from '../install-paths.ts'
import { isAgentName } from './delegation.ts'
import { NO_ORCHESTRATOR_COMMANDS, type OrchestratorCommands, orchestratorCommandsOf } from './orchestrator-commands.ts'
import { createRouterAgent } from './router-agent.ts'

export type DocsScope = keyof OrchestrationPerOwner

/** What the files of one scope contain for agents. */
export interface DocsContent {
  readonly whose: DocsScope
  readonly workflows: OrchestratorCommands
  /** absent: a router file that `init` wrote here is removed */
  readonly router: AgentDefinition | undefined
  /** true: create the router file; false: only update an existing one */
  readonly bringsRouter: boolean
}

/** Project files are shared, so they contain nothing of a user's policy; that goes into files in the home folder. */
export function docsContentsOf(
  policy: Policy | undefined,
  { project }: Pick<InstallPaths, 'project'>,
  scope: SettingsScope = 'user',
): readonly DocsContent[] {
  if (!project) return [docsContentOf(policy, 'user')]
  const shared = docsContentOf(policy, 'project')
  if (scope !== 'user') return [shared]
  const own = docsContentOf(policy, 'user')
  // agents prefer a project's router: if only the user's policy has a routing table, the project gets no router file
  const isRouterOwn = !!policy?.sides?.user?.routing && !policy.sides.project?.routing
  if (!shared.router || !isRouterOwn) return [shared, own]
  return [
    { ...shared, router: undefined, bringsRouter: false },
    { ...own, router: createRouterAgent(policy?.sides?.user?.routing, shared.router.name), bringsRouter: true },
  ]
}

function docsContentOf(policy: Policy | undefined, whose: DocsScope): DocsContent {
  const workflows = policy ? orchestratorCommandsOf(policy, whose) : NO_ORCHESTRATOR_COMMANDS
  const routing = policy?.sides?.[whose]?.routing
  const { router } = workflows
  const bringsRouter = router !== undefined && isAgentName(router)
  // a routing table in the user's policy may be needed by a project that has none
  const hasRouter = bringsRouter || (whose === 'user' && routing !== undefined)
  return { whose, workflows, router: hasRouter ? createRouterAgent(routing, router) : undefined, bringsRouter }
}
