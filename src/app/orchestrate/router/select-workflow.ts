import type { Complexity, Intent } from '../../../policy/intents.ts'
import { splitWords } from './request-text.ts'
import { WORKFLOW_KEYWORDS, type WorkflowKeywords } from './tables/workflow-keywords.ts'

/** A workflow of the project: what it is called, and the words it says of itself. */
export interface WorkflowDescription {
  /** as the decision names it */
  readonly path: string
  readonly name: string
  readonly about: string
  /** intents it says it is for; none: it says nothing of that */
  readonly intents: readonly string[]
  readonly complexity: readonly string[]
}

/** One for an intent, or one for each complexity of it. */
type WorkflowChoice = string | Readonly<Partial<Record<Complexity | 'any', string>>>

/** What a policy says about it. */
export type WorkflowChoices = Readonly<Partial<Record<Intent | 'any', WorkflowChoice>>>

/** As a decision says it; agents are told to follow it. */
export const NO_WORKFLOW = 'no workflow'

export interface WorkflowSelection {
  readonly path: string
  readonly why: string
  /** there is none */
  readonly isNone?: true
}

/** The policy decides; else the workflow that says most about this intent; else there is none, and none is named. */
export function selectWorkflow(
  intent: Intent,
  complexity: Complexity,
  { workflows, chosen }: { readonly workflows: readonly WorkflowDescription[]; readonly chosen: WorkflowChoices },
): WorkflowSelection {
  const named = workflowFor(chosen[intent], complexity) ?? workflowFor(chosen.any, complexity)
  if (named !== undefined) {
    const file = workflows.find(({ name, path }) => name === named || path === named || path === `@${named}`)
    return { path: file?.path ?? named, why: `the policy names it for ${intent}` }
  }
  const work = WORKFLOW_KEYWORDS[intent]
  const fitting = workflows
    .map(workflow => ({ workflow, score: workflowFitness(workflow, intent, complexity, work) }))
    .filter(({ score }) => score > 0)
    // by name where two fit alike: the same request, the same workflow
    .sort((a, b) => b.score - a.score || (a.workflow.name < b.workflow.name ? -1 : 1))
  const [best] = fitting
  if (best) return { path: best.workflow.path, why: `its file fits ${intent} best` }
  const why = workflows.length === 0 ? 'the project has none' : `none of the project fits ${intent}`
  return { path: NO_WORKFLOW, why, isNone: true }
}

const workflowFor = (choice: WorkflowChoice | undefined, complexity: Complexity): string | undefined =>
  typeof choice === 'object' ? (choice[complexity] ?? choice.any) : choice

function workflowFitness(
  { name, about, intents, complexity: for_ }: WorkflowDescription,
  intent: Intent,
  complexity: Complexity,
  work: WorkflowKeywords,
): number {
  if (for_.length > 0 && !for_.includes(complexity)) return 0
  if (intents.length > 0) return intents.includes(intent) ? 100 : 0
  const said = new Set(splitWords(about).map(({ text }) => text))
  const title = new Set(splitWords(name).map(({ text }) => text))
  const words = [...work.words.split(' '), ...work[complexity].split(' ')].filter(Boolean)
  return words.reduce((sum, word, nth) => {
    // what is said first of a kind of work says most about it
    const weight = nth === 0 ? 2 : 1
    return sum + (title.has(word) ? 3 * weight : said.has(word) ? weight : 0)
  }, 0)
}
