import type { AgentText, Scope } from '../clients/registers.ts'
import type { Policy, Sides } from '../policy/index.ts'
import { NONE, type Workflows, workflowsOf } from './commands.ts'
import type { Place } from './place.ts'
import { routerOf } from './router.ts'

export type Whose = keyof Sides

/** What agents are told in the files of one side. */
export interface Telling {
  readonly whose: Whose
  readonly workflows: Workflows
  readonly router: AgentText
  /** what is written where it is not there yet */
  readonly brings: { readonly router: boolean; readonly section: boolean }
}

/** A project's files are for everybody who works on it: nothing of one person's policy is in them, and that is told at home. */
export function tellingsOf(
  policy: Policy | undefined,
  { project }: Pick<Place, 'project'>,
  scope: Scope = 'user',
): readonly Telling[] {
  if (!project) return [tellingOf(policy, 'user', { router: true, section: true })]
  // an agent takes a project's router before the person's: where only the person says how, there is none of the project
  const isRouterOwn = scope === 'user' && !!policy?.sides?.user?.routing && !policy.sides.project?.routing
  const shared = tellingOf(policy, 'project', { router: !isRouterOwn, section: true })
  if (scope !== 'user') return [shared]
  const own = tellingOf(policy, 'user', { router: isRouterOwn, section: false })
  return [
    shared,
    { ...own, brings: { ...own.brings, section: own.workflows.skills.length + own.workflows.delegates.length > 0 } },
  ]
}

const tellingOf = (policy: Policy | undefined, whose: Whose, brings: Telling['brings']): Telling => ({
  whose,
  workflows: policy ? workflowsOf(policy, whose) : NONE,
  router: routerOf(policy?.sides?.[whose]?.routing),
  brings,
})
