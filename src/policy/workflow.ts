/** A series of tasks that `signalbox orchestrate --workflow` runs in order. */
export interface Workflow {
  /** one line of description for the list of workflows */
  readonly about?: string
  readonly steps: readonly WorkflowEntry[]
}

export type WorkflowEntry = WorkflowStep | WorkflowStop

/** What must hold before the next step begins. */
export type WorkflowStop =
  | { readonly kind: 'gate'; readonly gate: string }
  | { readonly kind: 'person'; readonly question: string }

export interface WorkflowStep {
  readonly kind: 'step'
  readonly id: string
  /** may contain `{request}`, `{artifacts}`, `{round}` and `{failure}` */
  readonly prompt: string
  /** the agent that leads the step, and the backend that runs it */
  readonly agent?: string
  readonly backend?: string
  /** files that the step must leave, relative to the project root */
  readonly artifacts: readonly string[]
  /** everything the step may change, artifacts included; absent: whatever the policy permits */
  readonly may?: readonly string[]
  readonly minutes?: number
  readonly repeat?: { readonly most: number; readonly until: RepeatUntil }
}

/** A repeated step is done when a command succeeds or a file contains a text. */
export type RepeatUntil = { readonly run: string } | { readonly file: string; readonly says: string }

/** The variables that a prompt can contain. */
export const PROMPT_VARIABLES = ['request', 'artifacts', 'round', 'failure'] as const
