import { workflowRunState } from '../../../hook/index.ts'
import { tryOr } from '../../../lib/errors.ts'
import { readWorkflowRuns, type StoredRun } from '../../../store/index.ts'
import type { WorkflowList, WorkflowRun, WorkflowStepRun } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import type { DashboardBackend } from '../backend.ts'

const MAX_RUNS = 50

/** The runs of `signalbox orchestrate --workflow` in a project, and the defined workflows. */
export function listWorkflows(archive: DashboardRecords, backend: DashboardBackend, root: string): WorkflowList {
  const runs = archive.attempt(
    () => readWorkflowRuns(archive.state, { root, most: MAX_RUNS }),
    () => [],
  )
  return { project: root, runs: [...runs].reverse().map(toWorkflowRun), defined: workflowsDefinedIn(backend, root) }
}

/** Empty if the policy cannot be loaded; the policy page shows why. */
const workflowsDefinedIn = (backend: DashboardBackend, root: string): WorkflowList['defined'] =>
  tryOr([], () =>
    Object.entries(backend.open(root).policy.program.workflows ?? {}).map(([name, { about, steps }]) => ({
      ...{ name, steps: steps.length },
      ...(about !== undefined && { about }),
    })),
  )

function toWorkflowRun(run: StoredRun): WorkflowRun {
  const { id, workflow, request, why, at, changed, plan, steps } = run
  const state = workflowRunState(run)
  return {
    ...{ id, workflow, request, state, at, changed, ...(why !== undefined && state !== 'done' && { why }) },
    steps: plan.map((name, nth): WorkflowStepRun => {
      const step = steps[nth]
      if (!step) return { id: name, state: 'to do', round: 1, artifacts: [], files: [] }
      const { round, began, ended, backend, artifacts, files } = step
      return {
        ...{ id: step.id, round, artifacts, files },
        state: step.state === 'running' ? state : step.state,
        ...(ended !== undefined && { ms: ended - began }),
        ...(backend !== undefined && { backend }),
      }
    }),
  }
}
