/** Workflow runs of a project, latest first. */
export interface WorkflowList {
  readonly project: string
  readonly runs: readonly WorkflowRun[]
  /** workflows that the policy defines */
  readonly defined: readonly { readonly name: string; readonly about?: string; readonly steps: number }[]
}

export interface WorkflowRun {
  readonly id: string
  readonly workflow: string
  readonly request: string
  readonly state: 'running' | 'waiting' | 'stopped' | 'failed' | 'done' | 'interrupted'
  /** what it waits for, or why it stopped */
  readonly why?: string
  readonly at: number
  readonly changed: number
  /** all steps, including those to come */
  readonly steps: readonly WorkflowStepRun[]
}

export interface WorkflowStepRun {
  readonly id: string
  readonly state: WorkflowRun['state'] | 'to do'
  readonly round: number
  readonly ms?: number
  readonly backend?: string
  readonly artifacts: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[]
  readonly files: readonly string[]
}
