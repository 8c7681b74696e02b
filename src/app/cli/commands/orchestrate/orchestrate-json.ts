import { workflowRunState } from '../../../../hook/index.ts'
import type { StoredRun, StoredStep } from '../../../../store/index.ts'
import type { TaskEvent, TaskPlan, TaskReport, WorkflowEvent } from '../../../orchestrate/index.ts'
import type { ApprovalScope } from './orchestrate-text.ts'

/** The lines of `--json`. Their keys are documented in docs/guide/orchestrate.md. */
export const taskPlanJson = ({ task, mode, decision, candidates, missing, why }: TaskPlan, about: ApprovalScope) => ({
  ...{ type: 'plan', task, mode, backend: candidates[0]?.id ?? null, reason: why },
  ...{ fallbacks: candidates.slice(1).map(backend => backend.id), notInstalled: missing.map(backend => backend.id) },
  ...{ intent: decision.intent, complexity: decision.complexity, confidence: decision.confidence },
  ...{
    reasoning: decision.reasoning,
    timeoutMs: about.ms,
    lifts: about.liftedGates,
    bypassedGates: about.gatesLettingPast,
  },
})

export function taskEventJson(event: TaskEvent) {
  switch (event.type) {
    case 'begin':
      return { ...event, type: 'start' }
    case 'message':
      return { type: 'message', text: event.text }
    case 'trouble':
      return { type: 'error', backend: event.backend, errorKind: event.trouble, error: event.why }
    case 'offer':
      return { type: 'fallback', backend: event.backend }
    default:
      return event
  }
}

export function taskReportJson({ spent, trouble, kind, next, files, isSelfReported, ...rest }: TaskReport) {
  return {
    ...{ type: 'report', ...rest, files: files.map(({ path, how }) => ({ path, change: how })) },
    ...(isSelfReported && { isSelfReported }),
    ...(spent && { usage: usageJson(spent) }),
    ...(trouble !== undefined && { error: trouble }),
    ...(kind && { errorKind: kind }),
    ...(next !== undefined && { nextBackend: next }),
  }
}

const usageJson = ({ input, output, cached, ...cost }: NonNullable<TaskReport['spent']>) => ({
  ...{ inputTokens: input, outputTokens: output, cachedTokens: cached },
  ...cost,
})

/** The report of a task that no installed backend can do. */
export const missingBackendJson = (task: string, mode: string, error: string, next: string | undefined) => ({
  ...{
    type: 'report',
    task,
    mode,
    outcome: 'failed',
    backend: null,
    errorKind: 'missing',
    error,
    files: [],
    tried: [],
  },
  ...(next !== undefined && { nextBackend: next }),
})

export function workflowEventJson(event: WorkflowEvent) {
  if (event.type === 'workflow.step')
    return { type: event.type, id: event.id, round: event.round, step: event.nth, steps: event.of }
  return event.type === 'workflow.again' ? { type: 'workflow.retry', id: event.id, reason: event.why } : event
}

export function workflowRunJson(run: StoredRun) {
  const { why, at, changed, born, plan, steps, before: _, isHidden, ...rest } = run
  return {
    ...{ type: 'workflow.report', ...rest, state: workflowRunState(run), startedAt: at, changedAt: changed },
    ...{ processStart: born, entries: plan, steps: steps.map(stepJson) },
    ...(isHidden && { isRequestHidden: isHidden }),
    ...(why !== undefined && { reason: why }),
  }
}

const stepJson = ({ began, ended, why, before: _, ...rest }: StoredStep) => ({
  ...{ ...rest, startedAt: began },
  ...(ended !== undefined && { endedAt: ended }),
  ...(why !== undefined && { reason: why }),
})
