import type { AgentText, Scope } from '../clients/registers.ts'
import type { Policy, Sides } from '../policy/index.ts'
import { isAgentName } from './boundary.ts'
import { NONE, type Workflows, workflowsOf } from './commands.ts'
import type { Place } from './place.ts'
import { routerOf } from './router.ts'

export type Whose = keyof Sides

/** What agents are told in the files of one side. */
export interface Telling {
  readonly whose: Whose
  readonly workflows: Workflows
  /** absent: one that `init` has written here goes */
  readonly router: AgentText | undefined
  /** is the router written where it is not there yet, or only renewed? */
  readonly bringsRouter: boolean
}

/** A project's files are for everybody who works on it: nothing of one person's policy is in them, and that is told at home. */
export function tellingsOf(
  policy: Policy | undefined,
  { project }: Pick<Place, 'project'>,
  scope: Scope = 'user',
): readonly Telling[] {
  if (!project) return [tellingOf(policy, 'user')]
  const shared = tellingOf(policy, 'project')
  if (scope !== 'user') return [shared]
  const own = tellingOf(policy, 'user')
  // an agent takes a project's router before the person's: where only the person says how, there is none of the project
  const isRouterOwn = !!policy?.sides?.user?.routing && !policy.sides.project?.routing
  if (!shared.router || !isRouterOwn) return [shared, own]
  return [
    { ...shared, router: undefined, bringsRouter: false },
    { ...own, router: routerOf(policy?.sides?.user?.routing, shared.router.name), bringsRouter: true },
  ]
}

function tellingOf(policy: Policy | undefined, whose: Whose): Telling {
  const workflows = policy ? workflowsOf(policy, whose) : NONE
  const routing = policy?.sides?.[whose]?.routing
  const { router } = workflows
  const bringsRouter = router !== undefined && isAgentName(router)
  // with a table at home, a router there may be needed by a project that has none
  const isKept = bringsRouter || (whose === 'user' && routing !== undefined)
  return { whose, workflows, router: isKept ? routerOf(routing, router) : undefined, bringsRouter }
}
