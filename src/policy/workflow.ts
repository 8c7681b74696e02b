/** Several tasks in a row, as `signalbox orchestrate --workflow` runs them. */
export interface Workflow {
  /** one line, for people who choose */
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
  /** with `{request}`, `{artifacts}`, `{round}` and `{failure}` */
  readonly prompt: string
  /** who leads it, and which backend runs it */
  readonly agent?: string
  readonly backend?: string
  /** files that it must leave, from the root of the project */
  readonly artifacts: readonly string[]
  /** all that it may change, artifacts included; absent: whatever the policy permits */
  readonly may?: readonly string[]
  readonly minutes?: number
  readonly repeat?: { readonly most: number; readonly until: RepeatUntil }
}

/** When a step that repeats is done: a command succeeds, or a file says so. */
export type RepeatUntil = { readonly run: string } | { readonly file: string; readonly says: string }

/** What a prompt can name. */
export const PROMPT_VARIABLES = ['request', 'artifacts', 'round', 'failure'] as const
