import type { AgentDefinition, SettingsScope } from '../../../clients/settings.ts'
import type { Policy, TextsPerScope } from '../../../policy/index.ts'
import type { InstallPaths } from '../install-paths.ts'
import { isAgentName } from './delegation.ts'
import { NO_ORCHESTRATOR_COMMANDS, type OrchestratorCommands, orchestratorCommandsOf } from './orchestrator-commands.ts'
import { createRouterAgent } from './router-agent.ts'

export type DocsScope = keyof TextsPerScope

/** What agents are told in the files of one side. */
export interface DocsContent {
  readonly whose: DocsScope
  readonly workflows: OrchestratorCommands
  /** absent: one that `init` has written here goes */
  readonly router: AgentDefinition | undefined
  /** is the router written where it is not there yet, or only renewed? */
  readonly bringsRouter: boolean
}

/** A project's files are for everybody who works on it: nothing of one person's policy is in them, and that is told at home. */
export function docsContentsOf(
  policy: Policy | undefined,
  { project }: Pick<InstallPaths, 'project'>,
  scope: SettingsScope = 'user',
): readonly DocsContent[] {
  if (!project) return [docsContentOf(policy, 'user')]
  const shared = docsContentOf(policy, 'project')
  if (scope !== 'user') return [shared]
  const own = docsContentOf(policy, 'user')
  // an agent takes a project's router before the person's: where only the person says how, there is none of the project
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
  // with a table at home, a router there may be needed by a project that has none
  const isKept = bringsRouter || (whose === 'user' && routing !== undefined)
  return { whose, workflows, router: isKept ? createRouterAgent(routing, router) : undefined, bringsRouter }
}
