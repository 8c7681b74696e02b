import { isInTask } from '../../../../hook/index.ts'
import { DEFAULT_TASK_MINUTES } from '../../../../policy/index.ts'
import { readWorkflowRuns, redact } from '../../../../store/index.ts'
import { gatesSuggestingOrchestrator } from '../../../install/index.ts'
import {
  expandCommand,
  gatesOpenedByRouting,
  gatesPassedByTask,
  historyLine,
  planTask,
  readHistory,
  TASK_MODES,
  TASK_VARIABLE,
  type TaskPlan,
  type TaskReport,
  troubleText,
} from '../../../orchestrate/index.ts'
import { routeRequest } from '../../../orchestrate/router/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { openProject, type ProjectContext } from '../../project.ts'
import { readRequestFromStdin } from '../../terminal/read-stdin.ts'
import { listenForStop } from '../../terminal/stop-signals.ts'
import { missingBackendJson, taskReportJson, workflowRunJson } from './orchestrate-json.ts'
import { parseTaskDuration } from './orchestrate-text.ts'
import { runParallelTasks } from './parallel-tasks.ts'
import { type OrchestrateContext, printPlan, recordReport, runPlannedTask } from './run-task.ts'
import { findWorkflow, planWorkflow, resumeWorkflow, startWorkflow } from './run-workflow.ts'
import { workflowRunLine } from './workflow-text.ts'

const SHOWN_REPORTS = 20

export const orchestrateCommand: Command = {
  name: 'orchestrate',
  summary: 'Give a task to an agent that is approved for it: Claude Code, Codex or Gemini, whichever fits best.',
  usage:
    '[--backend ID] [--plan] "<task>" | - (from stdin) | --parallel "<task>" "<task>" … | --workflow NAME "<request>" | --resume [ID] | --history',
  example: 'signalbox orchestrate "add a --verbose flag to the cli, with a test"',
  options: {
    backend: { type: 'string', about: 'the agent to use: claude, codex or gemini' },
    mode: {
      type: 'string',
      about: 'how the task is given: agent, prompt (a question; changes nothing), command or skill',
    },
    plan: { type: 'boolean', about: 'show the plan without running it' },
    timeout: { type: 'string', about: 'time limit: 90s, 10m, 1h (default 30m)' },
    fallback: { type: 'boolean', about: 'if an agent cannot do it, use the next one without asking' },
    parallel: {
      type: 'boolean',
      about: 'run each argument as a task of its own, at the same time, each in its own git worktree',
    },
    workflow: { type: 'string', about: 'run the steps of a workflow from the policy' },
    resume: { type: 'boolean', about: 'continue a workflow that was stopped or interrupted, or that is waiting' },
    history: { type: 'boolean', about: 'list past tasks, the latest last' },
    json: { type: 'boolean', about: 'one line of JSON for each step' },
  },
  positionals: true,
  async run({ values, positionals, terminal }) {
    const project = openProject(terminal)
    const json = values.json === true
    if (values.history) return printHistory(project, terminal, json)
    const request =
      positionals.length === 1 && positionals[0] === '-' ? [await readRequestFromStdin(terminal)] : positionals
    const tasks = (values.parallel ? request : [request.join(' ')]).map(text => text.trim())
    const options = { ...parseTaskOptions(values), json, fallback: values.fallback === true }
    if (values.resume)
      return resumeFromArguments(
        request,
        { project, terminal, ...options, ...orchestratorSettingsOf(project, options.timeoutMs) },
        values,
      )
    if (tasks.length === 0 || tasks.some(task => task === ''))
      throw new Error(emptyTaskProblem(values.workflow, project))
    assertNotInTask(project, terminal)
    const context: OrchestrateContext = {
      project,
      terminal,
      ...options,
      ...orchestratorSettingsOf(project, options.timeoutMs),
    }
    warnIfUntrusted(project, terminal)
    const flow = workflowOfRequest(values.workflow, tasks[0] ?? '', context)
    if (flow && values.parallel) throw new Error('`--parallel` cannot be combined with `--workflow`')
    if (flow) return (values.plan ? planWorkflow : startWorkflow)(flow, flow.request, context)
    const plans = tasks.map(task => planRequest(task, context))
    if (values.plan) {
      for (const plan of plans) printPlan(plan, context, terminal.out)
      return plans.every(plan => hasWantedBackend(plan, context)) ? 0 : 2
    }
    const unable = plans.find(plan => !hasWantedBackend(plan, context))
    if (unable) return reportMissingBackend(unable, context)
    return values.parallel ? runParallelTasks(plans, context) : runSingleTask(plans[0] as TaskPlan, context)
  },
}

/** An unknown workflow comes first: its request is not the mistake. */
function emptyTaskProblem(workflow: unknown, project: ProjectContext): string {
  if (typeof workflow !== 'string')
    return 'the task is empty; write it after the command, e.g. signalbox orchestrate "add a test for the parser"'
  findWorkflow(workflow, { project })
  return `the task is empty; write it after the name, e.g. signalbox orchestrate --workflow ${workflow} "add a login"`
}

/** The workflow from `--workflow`, or from a policy command that names one: `/bmad add a login`. */
function workflowOfRequest(name: unknown, typed: string, context: OrchestrateContext) {
  if (typeof name === 'string') return { ...findWorkflow(name, context), request: typed }
  const { settings, workflows = {} } = context.project.policy.program
  const [, word = '', words = ''] = /^\/([\w-]+)(?:\s+(.*))?$/s.exec(typed) ?? []
  const { commands = {} } = settings.orchestrator ?? {}
  const meant = Object.hasOwn(commands, word) ? (commands[word]?.workflow ?? '') : word
  if (!Object.hasOwn(workflows, meant)) return undefined
  const request = words.trim()
  if (request === '') throw new Error(`the task is empty; write what \`/${word}\` should do`)
  return { ...findWorkflow(meant, context), request }
}

function resumeFromArguments(
  requests: readonly string[],
  context: OrchestrateContext,
  { workflow, parallel, plan }: Readonly<Record<string, unknown>>,
) {
  if (workflow !== undefined || parallel || plan) throw new Error('`--resume` takes the id of a run and nothing else')
  assertNotInTask(context.project, context.terminal)
  warnIfUntrusted(context.project, context.terminal)
  const [first = '', ...words] = requests
  const id = /^[0-9a-f]{8}$/.test(first) ? first : undefined
  if (id === undefined && first !== '')
    throw new Error(`\`${first}\` is not the id of a workflow run; \`--history\` lists them`)
  return resumeWorkflow(id, words.join(' ').trim(), context)
}

function parseTaskOptions({ backend, mode, timeout }: Readonly<Record<string, unknown>>) {
  const known = TASK_MODES.find(text => text === mode)
  if (mode !== undefined && !known) throw new Error(`unknown mode \`${mode}\`; there are ${TASK_MODES.join(', ')}`)
  const timeoutMs = timeout === undefined ? undefined : parseTaskDuration(String(timeout))
  if (timeout !== undefined && timeoutMs === undefined)
    throw new Error(`\`--timeout ${timeout}\` is not a time; write it like \`90s\`, \`10m\` or \`1h\`, at most 7h`)
  return { backend: typeof backend === 'string' ? backend : undefined, mode: known, timeoutMs }
}

function orchestratorSettingsOf({ policy }: ProjectContext, timeoutMs: number | undefined) {
  const {
    backends,
    lifts = [],
    minutes = DEFAULT_TASK_MINUTES,
    args = {},
    log,
  } = policy.program.settings.orchestrator ?? {}
  const routed = gatesOpenedByRouting(policy.program)
  const gatesLettingPast = gatesPassedByTask(policy.program, [...lifts, ...routed])
  return {
    order: backends,
    liftedGates: lifts,
    gatesLettingPast,
    routed,
    args,
    log,
    ms: timeoutMs ?? minutes * 60_000,
    isTimed: timeoutMs !== undefined,
  }
}

/** An approved task does the work itself: tasks that start tasks would never end. */
function assertNotInTask({ folders }: ProjectContext, { env }: Terminal): void {
  if (env[TASK_VARIABLE] !== undefined || isInTask(folders.state, process.pid))
    throw new Error('you are already in an orchestrated task, and approved: do the work here')
}

/** Warns that the project's orchestrator settings have no effect until a person trusts them. */
function warnIfUntrusted({ policy }: ProjectContext, { err }: Terminal): void {
  const waits = policy.layers.some(({ untrusted }) => untrusted.some(text => text.startsWith('setting `orchestrator`')))
  if (waits) err("The project's `settings.orchestrator` is ignored until you run `signalbox trust`.\n")
}

/** Expands a policy command into the task. The kind of task comes from the person's words. */
function planRequest(request: string, { project, terminal, backend, mode, order }: OrchestrateContext): TaskPlan {
  const { program } = project.policy
  const { words, task, named } = expandCommand(
    request,
    program.settings.orchestrator?.commands ?? {},
    gatesSuggestingOrchestrator(program),
  )
  const preferences = {
    backend: backend ?? named?.backend,
    mode: mode ?? named?.mode,
    order,
    by: backend ? undefined : named?.by,
  }
  const plan = planTask(task, routeRequest(words), preferences, { ...taskPathsOf(project), path: terminal.env.PATH })
  if (plan.unknown === undefined || mode !== undefined) return plan
  const places = 'neither the policy (`settings.orchestrator.commands`) nor an agent here defines it'
  throw new Error(`unknown command \`/${plan.unknown}\`: ${places}; \`--mode command\` passes it on unchanged`)
}

const taskPathsOf = ({ root, folders }: ProjectContext) => ({ root, home: folders.home })

const hasWantedBackend = ({ candidates }: TaskPlan, { backend }: OrchestrateContext): boolean =>
  candidates.length > 0 &&
  (backend === undefined || candidates[0]?.id === backend || candidates[0]?.program === backend)

/** Reports that no backend, or not the requested one, is installed. */
function reportMissingBackend(plan: TaskPlan, { terminal: { err, out }, backend, json }: OrchestrateContext): ExitCode {
  const { candidates, missing, task, mode } = plan
  const wanted = backend === undefined ? missing : missing.slice(0, 1)
  const why = wanted.map(item => troubleText({ kind: 'missing', why: '' }, item))
  const next = candidates[0]?.id
  for (const text of why) err(`signalbox orchestrate: ${text}\n`)
  if (next) err(`Next  signalbox orchestrate --backend ${next} "<task>"\n`)
  if (json) out(`${JSON.stringify(missingBackendJson(redact(task), mode, why.join('; '), next))}\n`)
  return 2
}

async function runSingleTask(plan: TaskPlan, context: OrchestrateContext): Promise<ExitCode> {
  printPlan(plan, context, context.terminal.err)
  const stopping = listenForStop()
  try {
    const report = await runPlannedTask(plan, context, { root: context.project.root, stop: stopping.signal, label: '' })
    recordReport(report, context)
    return report.outcome === 'done' ? 0 : 1
  } finally {
    await stopping.end()
  }
}

/** Covers this project and its worktrees. */
function printHistory(project: ProjectContext, { out }: Terminal, json: boolean): ExitCode {
  const { folders, root } = project
  const isHere = (report: TaskReport) => report.root === root || report.worktree?.of === root
  const reports = readHistory(folders.state).filter(isHere).slice(-SHOWN_REPORTS)
  const runs = readWorkflowRuns(folders.state, { root, most: SHOWN_REPORTS })
  const when = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  if (json)
    for (const item of [...reports.map(taskReportJson), ...runs.map(workflowRunJson)]) out(`${JSON.stringify(item)}\n`)
  else if (reports.length + runs.length === 0) out('No tasks yet.\n')
  else
    for (const { at, line } of [
      ...reports.map(report => ({ at: report.at, line: historyLine(report) })),
      ...runs.map(run => ({ at: run.at, line: workflowRunLine(run) })),
    ].sort((a, b) => a.at - b.at))
      out(`${when(at)}  ${line}\n`)
  return 0
}
