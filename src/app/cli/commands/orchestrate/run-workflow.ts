import { join } from 'node:path'
import { processStartTime, randomHex, storeOptions } from '../../../../hook/index.ts'
import { ensurePrivateFolder, type Workflow, type WorkflowStep } from '../../../../policy/index.ts'
import {
  acquireFileLock,
  type FileLock,
  readWorkflowRuns,
  redact,
  type StoredRun,
  sha256,
  WorkflowStore,
} from '../../../../store/index.ts'
import {
  entryIdOf,
  planTask,
  resumeRun,
  runWorkflow,
  saveFailedRun,
  type TaskPlan,
  type TaskReport,
  type WorkflowHost,
} from '../../../orchestrate/index.ts'
import { routeRequest } from '../../../orchestrate/router/index.ts'
import type { ExitCode } from '../../command.ts'
import { listenForStop } from '../../terminal/stop-signals.ts'
import { recordAction, toReasonLine } from '../bypass/active-bypasses.ts'
import { workflowEventJson, workflowRunJson } from './orchestrate-json.ts'
import { type OrchestrateContext, recordReport, runPlannedTask } from './run-task.ts'
import { explainClosedGate } from './workflow-gate.ts'
import { workflowEventLine, workflowPlanLines, workflowRunLine, workflowRunLines } from './workflow-text.ts'

interface NamedWorkflow {
  readonly name: string
  readonly workflow: Workflow
}

/** Finds a workflow by name. A project's own workflow exists only after a person trusts it. */
export function findWorkflow(name: string, { project }: Pick<OrchestrateContext, 'project'>): NamedWorkflow {
  const { workflows = {} } = project.policy.program
  const workflow = Object.hasOwn(workflows, name) ? workflows[name] : undefined
  if (workflow) return { name, workflow }
  const waiting = waitingWorkflows(project)
  if (waiting.includes(name))
    throw new Error(`the project's workflow \`${name}\` is not trusted yet: run \`signalbox trust\``)
  const names = Object.keys(workflows)
  const there = [
    ...(names.length > 0 ? [`there are ${names.join(', ')}`] : []),
    ...(waiting.length > 0 ? [`\`signalbox trust\` is needed for ${waiting.join(', ')}`] : []),
  ]
  throw new Error(
    `there is no workflow \`${name}\`; ${there.join('; ') || 'the policy has none: they are written under `workflows:` in signalbox.yaml'}`,
  )
}

/** Workflows of the project that are not trusted yet. */
const waitingWorkflows = ({ policy }: OrchestrateContext['project']): readonly string[] =>
  policy.layers.flatMap(({ untrusted }) => untrusted.flatMap(text => /^workflow `([^`]+)`/.exec(text)?.[1] ?? []))

/** `--plan`: shows which backend would do which step. */
export function planWorkflow(
  { name, workflow }: NamedWorkflow,
  request: string,
  context: OrchestrateContext,
): ExitCode {
  const plans = workflow.steps.map(step =>
    step.kind === 'step' ? planStep(step, step.prompt, request, context) : undefined,
  )
  const backends = plans.map(plan => plan?.candidates[0])
  const { json, terminal } = context
  const steps = workflow.steps.map((step, nth) => ({
    ...step,
    ...(step.kind === 'step' && { by: backends[nth]?.id ?? null }),
  }))
  if (json) terminal.out(`${JSON.stringify({ type: 'workflow.plan', workflow: name, request, steps })}\n`)
  else
    terminal.out(
      `${workflowPlanLines(
        name,
        workflow,
        backends.map(backend => backend?.title),
      ).join('\n')}\n`,
    )
  return plans.every(plan => plan === undefined || plan.candidates.length > 0) ? 0 : 2
}

export async function startWorkflow(
  named: NamedWorkflow,
  request: string,
  context: OrchestrateContext,
): Promise<ExitCode> {
  const { root } = context.project
  const now = Date.now()
  const words = redact(request)
  const run: StoredRun = {
    ...{ id: randomHex(4), workflow: named.name, root, request: words, state: 'running', at: now, changed: now },
    ...(words !== request && { isHidden: true as const }),
    ...{
      pid: process.pid,
      born: processStartTime(process.pid) ?? '',
      plan: named.workflow.steps.map(entryIdOf),
      steps: [],
    },
  }
  return runUnderLock(named, run, request, context, () => ({ run }))
}

/** Resumes the run with this id, or the only unfinished run of this project. */
export async function resumeWorkflow(
  id: string | undefined,
  again: string,
  context: OrchestrateContext,
): Promise<ExitCode> {
  const { folders, root } = context.project
  const open = readWorkflowRuns(folders.state, { root }).filter(storedRun =>
    id === undefined ? storedRun.state !== 'done' : storedRun.id === id,
  )
  const [run] = open
  if (!run)
    throw new Error(
      id === undefined ? 'there is no workflow run to resume here' : `there is no workflow run \`${id}\` here`,
    )
  if (open.length > 1)
    throw new Error(
      `${open.length} runs can be resumed; name one:\n${open.map(storedRun => `  ${workflowRunLine(storedRun)}`).join('\n')}`,
    )
  if (run.state === 'done') throw new Error(`the workflow run \`${run.id}\` is already done`)
  if (run.isHidden && again === '')
    throw new Error(
      `the request contained a secret, which was not stored; write it again: \`--resume ${run.id} "<request>"\``,
    )
  const named = findWorkflow(run.workflow, context)
  return runUnderLock(named, run, again || run.request, context, () => reloadRun(named, run, context))
}

/** Reads the run again under the lock: another process may have continued it in the meantime. */
function reloadRun(
  { workflow }: NamedWorkflow,
  { id }: StoredRun,
  { project, json, terminal }: OrchestrateContext,
): LoadedRun {
  const { folders, root } = project
  const run = readWorkflowRuns(folders.state, { root }).find(storedRun => storedRun.id === id)
  if (!run) throw new Error(`there is no workflow run \`${id}\` here`)
  if (run.state === 'done') throw new Error(`the workflow run \`${id}\` is already done`)
  const { steps, remarks, hasFailed } = resumeRun(workflow, run)
  if (!json) for (const remark of remarks) terminal.err(`${toReasonLine(remark)}\n`)
  else for (const remark of remarks) terminal.out(`${JSON.stringify({ type: 'workflow.note', text: remark })}\n`)
  const { why: _, ...before } = run
  const own = { pid: process.pid, born: processStartTime(process.pid) ?? '', plan: workflow.steps.map(entryIdOf) }
  return { run: { ...before, ...own, steps }, ...(hasFailed && { hasFailed }) }
}

interface LoadedRun {
  readonly run: StoredRun
  /** its last step failed when it was killed: nothing runs */
  readonly hasFailed?: true
}

/** `begin` returns the run; it is called once the lock is held. */
async function runUnderLock(
  named: NamedWorkflow,
  wanted: StoredRun,
  request: string,
  context: OrchestrateContext,
  begin: () => LoadedRun,
): Promise<ExitCode> {
  const { terminal, json, project } = context
  const { folders } = project
  for (const step of named.workflow.steps)
    if (step.kind === 'step' && planStep(step, step.prompt, request, context).candidates.length === 0)
      throw new Error(`no agent can do step \`${step.id}\`: none is on the PATH`)
  const lock = takeWorkflowLock(folders.state, wanted)
  const stopping = listenForStop()
  const store = new WorkflowStore(folders.state, storeOptions(folders))
  try {
    const { run, hasFailed } = begin()
    recordAction(folders, 'workflow.begin', `${run.id} ${run.workflow}: ${toReasonLine(run.request)}`, terminal)
    const host = createWorkflowHost(named, run, request, { context: context, store, stop: stopping.signal })
    const ended = hasFailed ? saveFailedRun(run, host) : await runWorkflow(named.workflow, run, host)
    recordAction(folders, 'workflow.end', workflowRunLine(ended), terminal)
    terminal.out(json ? `${JSON.stringify(workflowRunJson(ended))}\n` : `\n${workflowRunLines(ended).join('\n')}\n`)
    return ended.state === 'done' ? 0 : ended.state === 'waiting' ? 3 : 1
  } finally {
    store.close()
    lock.release()
    await stopping.end()
  }
}

/** One run of a workflow at a time per project: two would write the same artifacts. The kernel releases the lock when we exit. */
function takeWorkflowLock(state: string, { root, workflow }: StoredRun): FileLock {
  const folder = join(state, 'workflows')
  ensurePrivateFolder(folder)
  const file = join(folder, `${sha256(`${root}\0${workflow}`).slice(0, 16)}.lock`)
  const lock = acquireFileLock(file)
  if (!lock) throw new Error(`the workflow \`${workflow}\` is already running in this project`)
  return lock
}

interface WorkflowContext {
  readonly context: OrchestrateContext
  readonly store: WorkflowStore
  readonly stop: AbortSignal
}

function createWorkflowHost(
  { name }: NamedWorkflow,
  { id }: StoredRun,
  request: string,
  { context, store, stop }: WorkflowContext,
): WorkflowHost {
  const { project, terminal, json } = context
  const { root, folders } = project
  return {
    request,
    env: terminal.env,
    stop,
    timeFor: step => (context.isTimed || step.minutes === undefined ? context.ms : step.minutes * 60_000),
    async task(step, prompt, ms) {
      const plan = planStep(step, prompt, request, context)
      const report = await runPlannedTask(plan, { ...context, ms }, { root, stop, label: '', may: step.may })
      const task = redact(`/${name} ${step.id}: ${request}`)
      const stored: TaskReport = { ...report, task, workflow: { run: id, step: step.id } }
      recordReport(stored, context)
      return report
    },
    gate: (gate, last) => explainClosedGate(project, gate, last),
    async ask(question) {
      if (json || !terminal.canAsk || !terminal.isPerson) return undefined
      const isYes = /^y(es)?$/i.test((await terminal.ask(`${question} [y/N] `)).trim())
      recordAction(
        folders,
        'workflow.person',
        `${id} a person said ${isYes ? 'yes' : 'no'}: ${toReasonLine(question)}`,
        terminal,
      )
      return isYes
    },
    save: run => store.saveRun(run),
    onEvent: event =>
      json
        ? terminal.out(`${JSON.stringify(workflowEventJson(event))}\n`)
        : terminal.err(`${workflowEventLine(event)}\n`),
  }
}

/** The request's words decide the kind of work. The person, then the step, then the policy chooses the backend. */
function planStep(
  step: WorkflowStep,
  prompt: string,
  request: string,
  { project, terminal, backend, order }: OrchestrateContext,
): TaskPlan {
  const by = backend === undefined && step.backend !== undefined ? `step ${step.id} names it` : undefined
  const preferences = { backend: backend ?? step.backend, mode: 'agent', order, by } as const
  const where = { root: project.root, home: project.folders.home, path: terminal.env.PATH }
  return planTask(prompt, routeRequest(request), preferences, where)
}
