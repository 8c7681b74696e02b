import type { Workflow, WorkflowEntry, WorkflowStep } from '../../../policy/index.ts'
import { redact, type StoredRun, type StoredStep } from '../../../store/index.ts'
import type { TaskReport } from '../task.ts'
import { findArtifactProblem, hashArtifacts, readArtifact } from './artifacts.ts'
import { entryDigestOf, entryIdOf } from './resume.ts'
import { buildStepPrompt } from './step-prompt.ts'
import { filesOutsideScope, readStepScope } from './step-scope.ts'
import { findUnmetCondition } from './until.ts'

/** What a workflow needs from the program around it. */
export interface WorkflowHost {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stop: AbortSignal
  /** the person's request in full; the stored run has secrets removed */
  readonly request: string
  timeFor(step: WorkflowStep): number
  /** Runs one step with an agent. */
  task(step: WorkflowStep, prompt: string, timeoutMs: number): Promise<TaskReport>
  /** Why the next step cannot start; undefined if it can. `last` is the previous step. */
  gate(name: string, last: StoredStep | undefined): string | undefined
  /** Undefined if no person is there. */
  ask(question: string): Promise<boolean | undefined>
  /** Stores the run, so that another process can resume it. */
  save(run: StoredRun): void
  onEvent(event: WorkflowEvent): void
}

export type WorkflowEvent =
  | {
      readonly type: 'workflow.step'
      readonly id: string
      readonly round: number
      readonly nth: number
      readonly of: number
    }
  | { readonly type: 'workflow.done'; readonly id: string; readonly artifacts: readonly string[] }
  | { readonly type: 'workflow.again'; readonly id: string; readonly why: string }

/** Runs the remaining entries of a workflow. The returned run is already saved. */
export async function runWorkflow(workflow: Workflow, begun: StoredRun, host: WorkflowHost): Promise<StoredRun> {
  let run = begun
  const save = (change: Partial<StoredRun>): StoredRun => {
    run = { ...run, ...change, changed: Date.now() }
    host.save(run)
    return run
  }
  save({ state: 'running' })
  const { first, closed } = findFirstOpenEntry(workflow, run, host)
  for (let nth = first; nth < workflow.steps.length; nth++) {
    const entry = workflow.steps[nth] as WorkflowEntry
    const known = run.steps[nth]
    const earlier = run.steps.slice(0, nth)
    const keep = (step: StoredStep) =>
      void save({ steps: [...earlier, step], before: { ...run.before, [step.digest]: step.before } })
    const around = { run, nth, of: workflow.steps.length, known, earlier, keep, host }
    const ended = await (entry.kind === 'step'
      ? runStep(entry, { ...around, ...(nth === first && closed !== undefined && { closed }) })
      : passCheckpoint(entry, known, earlier, host))
    keep(ended)
    if (ended.state !== 'done') {
      const { why } = ended
      return save({ state: ended.state, ...(why !== undefined && { why: `${ended.id}: ${why}` }) })
    }
  }
  return save({ state: 'done' })
}

/** Ends a run whose last step failed when it was killed. */
export function saveFailedRun(run: StoredRun, { save }: Pick<WorkflowHost, 'save'>): StoredRun {
  const last = run.steps.at(-1)
  const ended: StoredRun = { ...run, state: 'failed', why: `${last?.id}: ${last?.why}`, changed: Date.now() }
  save(ended)
  return ended
}

/** If a gate is still closed, the step before it runs again: its agent must open the gate. */
function findFirstOpenEntry(
  { steps }: Workflow,
  run: StoredRun,
  host: WorkflowHost,
): { first: number; closed?: string } {
  const nth = run.steps.findIndex(step => step.state !== 'done')
  const at = nth < 0 ? run.steps.length : nth
  const entry = steps[at]
  const before = steps.slice(0, at).findLastIndex(step => step.kind === 'step')
  const wasClosed = entry?.kind === 'gate' && run.steps[at]?.state === 'waiting'
  const closed = wasClosed && before >= 0 ? host.gate(entry.gate, run.steps[before]) : undefined
  return closed === undefined ? { first: at } : { first: before, closed }
}

async function passCheckpoint(
  entry: Exclude<WorkflowEntry, WorkflowStep>,
  known: StoredStep | undefined,
  earlier: readonly StoredStep[],
  host: WorkflowHost,
): Promise<StoredStep> {
  const begun = { ...known, ...emptyStep(entry), began: known?.began ?? Date.now() }
  const last = earlier.findLast(step => step.id !== 'person' && !step.id.startsWith('gate '))
  if (entry.kind === 'gate') {
    const closed = host.gate(entry.gate, last)
    return closed === undefined ? markDone(begun) : { ...begun, state: 'waiting', why: closed }
  }
  const answer = await host.ask(entry.question)
  if (answer === undefined) return { ...begun, state: 'waiting', why: `a person must answer: ${entry.question}` }
  return answer ? markDone(begun) : { ...begun, state: 'stopped', why: `a person said no: ${entry.question}` }
}

const emptyStep = (entry: WorkflowEntry) => ({
  ...{ id: entryIdOf(entry), digest: entryDigestOf(entry), round: 1, before: {}, artifacts: [], files: [] },
})

const markDone = ({ why: _, failure: __, ...step }: Omit<StoredStep, 'state'>): StoredStep => ({
  ...step,
  state: 'done',
  ended: Date.now(),
})

interface StepContext {
  readonly run: StoredRun
  readonly nth: number
  readonly of: number
  /** the result of an earlier attempt */
  readonly known: StoredStep | undefined
  /** why a finished step runs again: the closed gate after it */
  readonly closed?: string
  readonly earlier: readonly StoredStep[]
  readonly keep: (step: StoredStep) => void
  readonly host: WorkflowHost
}

async function runStep(step: WorkflowStep, running: StepContext): Promise<StoredStep> {
  const { run, nth, of, known, earlier, keep, host } = running
  const { root } = run
  const timeoutMs = host.timeFor(step)
  // a failed step restarts with its first round; an interrupted step continues
  let isAgain = known !== undefined && known.state !== 'done' && known.state !== 'failed'
  let now: StoredStep = isAgain && known ? restartStep(known) : beginStep(step, running)
  for (;;) {
    const scope = readStepScope(root, step)
    keep({ ...now, ...(scope && { scope }) })
    host.onEvent({ type: 'workflow.step', id: step.id, round: now.round, nth: nth + 1, of })
    const given = { request: host.request, earlier, round: now.round, failure: now.failure ?? '', isAgain }
    const report = await host.task(step, buildStepPrompt(step, given), timeoutMs)
    isAgain = false
    now = { ...now, ...stepFieldsOfReport(now, report) }
    const broken = findStepFailure(step, now, report, root)
    if (broken) return { ...now, ended: Date.now(), ...broken }
    // what the command of `until` changes is not the agent's work
    keep(now)
    const failure = await findUnfinished(step, now, { root, env: host.env, timeoutMs, stop: host.stop })
    if (host.stop.aborted) return { ...now, state: 'stopped', ended: Date.now(), why: 'it was stopped' }
    if (failure === undefined) {
      host.onEvent({ type: 'workflow.done', id: step.id, artifacts: step.artifacts })
      return markDone({ ...now, artifacts: step.artifacts.flatMap(path => readArtifact(root, path) ?? []) })
    }
    if (now.round >= (step.repeat?.most ?? 1)) {
      const rounds = step.repeat ? ` (after ${now.round} rounds)` : ''
      return { ...now, state: 'failed', ended: Date.now(), why: `${firstLine(failure)}${rounds}` }
    }
    host.onEvent({ type: 'workflow.again', id: step.id, why: firstLine(failure) })
    now = { ...now, round: now.round + 1, failure }
  }
}

/** Artifacts of an earlier attempt in this run count as the step's own work: they need not change again. */
function beginStep(step: WorkflowStep, { run, known, closed }: StepContext): StoredStep {
  const empty = emptyStep(step)
  const before = run.before?.[empty.digest] ?? known?.before ?? hashArtifacts(run.root, step.artifacts)
  return { ...empty, state: 'running', began: Date.now(), before, ...(closed !== undefined && { failure: closed }) }
}

const restartStep = ({ why: _, ended: __, scope: ___, ...step }: StoredStep): StoredStep => ({
  ...step,
  state: 'running',
})

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

const stepFieldsOfReport = ({ files }: StoredStep, report: TaskReport): Partial<StoredStep> => ({
  backend: report.backend,
  ...(report.session !== undefined && { session: report.session }),
  files: [...new Set([...files, ...report.files.map(file => file.path)])],
})

/** Failures that end the step at once. Problems that time, a person or another backend can solve are no failures of the step. */
function findStepFailure(
  step: WorkflowStep,
  now: StoredStep,
  { outcome, trouble, kind, files }: TaskReport,
  root: string,
) {
  const outside = filesOutsideScope(
    root,
    step,
    files.map(file => file.path),
  )
  if (outside.length > 0)
    return {
      state: 'failed' as const,
      why: `it changed files that the step may not change: ${redact(outside.join(', '))}`,
    }
  if (outcome === 'done') return undefined
  const goesOn = outcome === 'stopped' || kind === 'quota' || kind === 'signed-out' || kind === 'missing'
  return {
    state: goesOn ? ('stopped' as const) : ('failed' as const),
    why: trouble ?? `it was stopped in round ${now.round}`,
  }
}

const findUnfinished = async (
  step: WorkflowStep,
  { before }: StoredStep,
  where: Parameters<typeof findUnmetCondition>[1],
): Promise<string | undefined> =>
  findArtifactProblem(where.root, step, before) ??
  (step.repeat ? await findUnmetCondition(step.repeat.until, where) : undefined)
