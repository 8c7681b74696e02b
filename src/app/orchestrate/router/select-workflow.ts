import type { Complexity, Intent } from '../../../policy/intents.ts'
import { splitWords } from './request-text.ts'
import { WORKFLOW_KEYWORDS, type WorkflowKeywords } from './tables/workflow-keywords.ts'

/** A workflow of the project: its name and its own description. */
export interface WorkflowDescription {
  /** the path that the decision contains */
  readonly path: string
  readonly name: string
  readonly about: string
  /** intents the file declares; empty if it declares none */
  readonly intents: readonly string[]
  readonly complexity: readonly string[]
}

/** One workflow for an intent, or one for each complexity. */
type WorkflowChoice = string | Readonly<Partial<Record<Complexity | 'any', string>>>

/** The workflows that a policy chooses for each intent. */
export type WorkflowChoices = Readonly<Partial<Record<Intent | 'any', WorkflowChoice>>>

/** The value in a decision without a workflow. Agents are asked to follow the decision's text. */
export const NO_WORKFLOW = 'no workflow'

export interface WorkflowSelection {
  readonly path: string
  readonly why: string
  /** no workflow was found */
  readonly isNone?: true
}

/** The policy's choice; else the workflow whose file fits the intent best; else none. */
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
    // ties are broken by name, so that the same request gives the same workflow
    .sort((a, b) => b.score - a.score || (a.workflow.name < b.workflow.name ? -1 : 1))
  const [best] = fitting
  if (best) return { path: best.workflow.path, why: `its file fits ${intent} best` }
  const why = workflows.length === 0 ? 'the project has no workflow' : `no workflow of the project fits ${intent}`
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
  const aboutWords = new Set(splitWords(about).map(({ text }) => text))
  const title = new Set(splitWords(name).map(({ text }) => text))
  const words = [...work.words.split(' '), ...work[complexity].split(' ')].filter(Boolean)
  return words.reduce((sum, word, nth) => {
    // the first keyword of an intent is the most specific
    const weight = nth === 0 ? 2 : 1
    return sum + (title.has(word) ? 3 * weight : aboutWords.has(word) ? weight : 0)
  }, 0)
}
