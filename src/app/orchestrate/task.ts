import { randomHex } from '../../hook/index.ts'
import { redact } from '../../store/index.ts'
import type { Backend, BackendEvent, BackendUsage, TaskMode } from './backends/backend.ts'
import { type BackendResult, runBackend } from './backends/run-backend.ts'
import { type BackendTrouble, troubleText } from './backends/trouble.ts'
import { changesSince, type GitChange, readWorkingTree, reportedChanges } from './git-changes.ts'
import type { TaskPlan } from './plan.ts'
import { issueApproval } from './task-approval.ts'

export interface TaskSettings {
  readonly root: string
  readonly state: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  /** gates that the approval lifts */
  readonly liftedGates: readonly string[]
  /** the only paths it may change, as a workflow step sets */
  readonly may?: readonly string[] | undefined
  /** gates that a routing decision opens: the task has one */
  readonly routed: readonly string[]
  /** arguments that the policy adds, by backend */
  readonly args: Readonly<Record<string, readonly string[]>>
  readonly stop: AbortSignal
  readonly onEvent: (event: TaskEvent) => void
  /** asks whether to try the next backend after one failed */
  readonly confirmFallback: (next: Backend) => Promise<boolean>
}

/** Events while a task runs. Secrets are removed. */
export type TaskEvent =
  | { readonly type: 'begin'; readonly id: string; readonly backend: string; readonly approval?: string }
  | { readonly type: 'step'; readonly text: string }
  | { readonly type: 'message'; readonly text: string }
  | {
      readonly type: 'trouble'
      readonly backend: string
      readonly trouble: BackendTrouble['kind']
      readonly why: string
    }
  | { readonly type: 'offer'; readonly backend: string }

/** The result of a task. */
export interface TaskReport {
  readonly id: string
  readonly at: number
  readonly task: string
  readonly root: string
  readonly mode: TaskMode
  readonly intent: string
  readonly complexity: string
  readonly confidence: number
  readonly outcome: BackendResult['outcome']
  readonly backend: string
  readonly ms: number
  readonly result: string
  readonly files: readonly GitChange[]
  /** the files come from the agent's own report, because git is not available */
  readonly isSelfReported?: true
  readonly spent?: BackendUsage
  readonly session?: string
  /** the approval's name in the records */
  readonly approval?: string
  readonly trouble?: string
  readonly kind?: BackendTrouble['kind']
  /** a backend that could have done it instead */
  readonly next?: string
  readonly tried: readonly string[]
  /** the workflow run and step that the task belongs to */
  readonly workflow?: { readonly run: string; readonly step: string }
  /** the worktree it ran in, and the project of that worktree */
  readonly worktree?: { readonly folder: string; readonly branch: string; readonly of: string }
}

/** Runs a task with the first backend that can do it. */
export async function runTask(plan: TaskPlan, setting: TaskSettings): Promise<TaskReport> {
  const { root, stop, onEvent } = setting
  const id = randomHex(4)
  const at = Date.now()
  const before = readWorkingTree(root)
  const tried: string[] = []
  let list = plan.candidates
  for (;;) {
    const [backend, ...rest] = list
    if (!backend) throw new Error('no agent here can do it')
    tried.push(backend.id)
    const { approval, done } = await attemptTask(id, backend, plan, setting)
    const { trouble, outcome, spent, session } = done
    const errorText = trouble && redact(troubleText(trouble, backend))
    if (trouble && errorText) onEvent({ type: 'trouble', backend: backend.id, trouble: trouble.kind, why: errorText })
    const [next] = rest
    if (trouble && next && !stop.aborted && (await setting.confirmFallback(next))) {
      list = rest
      continue
    }
    const seen = before && changesSince(root, before)
    return {
      ...{ id, at, task: redact(plan.task), root, mode: plan.mode, outcome, backend: backend.id, tried },
      ...{ intent: plan.decision.intent, complexity: plan.decision.complexity, confidence: plan.decision.confidence },
      ms: Date.now() - at,
      result: redact(done.text),
      files: (seen ?? reportedChanges(root, done.files)).map(change => ({ ...change, path: redact(change.path) })),
      ...(!seen && { isSelfReported: true as const }),
      ...(spent && { spent }),
      ...(session !== undefined && { session: redact(session) }),
      ...(approval !== undefined && { approval }),
      ...(trouble && errorText && { trouble: errorText, kind: trouble.kind }),
      ...(trouble && next && { next: next.id }),
    }
  }
}

/** Runs the task with an approval that ends with it. A question gets no approval; only its routed gates are lifted. */
async function attemptTask(id: string, backend: Backend, plan: TaskPlan, setting: TaskSettings) {
  const { root, state, env, timeoutMs, liftedGates, may, routed, args, stop, onEvent } = setting
  const { task, mode } = plan
  const approves = mode !== 'prompt'
  const gates = approves ? [...liftedGates, ...routed] : routed
  const needed = approves || gates.length > 0
  const leaf = needed ? issueApproval({ state, root, task, gates, may, forMs: timeoutMs, approves }) : undefined
  const drop = () => leaf?.end()
  process.once('exit', drop)
  try {
    onEvent({ type: 'begin', id, backend: backend.id, ...(leaf && approves && { approval: leaf.id }) })
    const prompt = promptOf(plan)
    const own = {
      args: args[backend.id] ?? [],
      token: leaf?.token,
      bindToProcess: leaf?.bindToProcess,
      onEvent: createEventForwarder(root, onEvent),
    }
    const done = await runBackend(backend, { prompt, mode, cwd: root, env, timeoutMs, stop, ...own })
    return { done, approval: approves ? leaf?.id : undefined }
  } finally {
    drop()
    process.off('exit', drop)
  }
}

/** Makes file paths relative to the project. Streamed text is held until a blank: half a secret would not be redacted. */
function createEventForwarder(root: string, emit: TaskSettings['onEvent']): (event: BackendEvent) => void {
  let pending = ''
  const emitText = (text: string) => {
    if (text.trim() !== '') emit({ type: 'message', text: redact(text) })
  }
  return event => {
    if (event.kind === 'message' && event.more) {
      const [whole = '', rest = ''] = /^([\s\S]*\s)?(\S*)$/.exec(pending + event.text)?.slice(1) ?? []
      pending = rest
      emitText(whole)
      return
    }
    emitText(pending)
    pending = ''
    if (event.kind === 'step') emit({ type: 'step', text: redact(event.text.replaceAll(`${root}/`, '')) })
    if (event.kind === 'message') emitText(event.text)
  }
}

const APPROVAL_NOTE =
  'This task comes from `signalbox orchestrate`: you are approved to change files and run commands for it, in this project. Do it yourself; do not run `signalbox orchestrate` again.'

function promptOf({ task, mode }: TaskPlan): string {
  if (mode === 'agent') return `${task}\n\n${APPROVAL_NOTE}\n`
  return `${task.replace(/^\/skill\s+/, '/')}\n`
}
