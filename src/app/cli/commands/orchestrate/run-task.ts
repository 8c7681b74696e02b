import { redact } from '../../../../store/index.ts'
import {
  appendHistory,
  appendToLog,
  type Backend,
  historyLine,
  runTask,
  type TaskEvent,
  type TaskMode,
  type TaskPlan,
  type TaskReport,
} from '../../../orchestrate/index.ts'
import type { Terminal } from '../../command.ts'
import type { ProjectContext } from '../../project.ts'
import { formatDuration, recordAction, toReasonLine } from '../bypass/active-bypasses.ts'
import { taskEventJson, taskPlanJson, taskReportJson } from './orchestrate-json.ts'
import { taskEventLine, taskPlanLines, taskReportLines } from './orchestrate-text.ts'

/** Everything that is decided before a task runs. */
export interface OrchestrateContext {
  readonly project: ProjectContext
  readonly terminal: Terminal
  readonly json: boolean
  readonly fallback: boolean
  readonly backend?: string | undefined
  readonly mode?: TaskMode | undefined
  readonly order: readonly string[] | undefined
  readonly liftedGates: readonly string[]
  readonly gatesLettingPast: readonly string[]
  readonly routed: readonly string[]
  readonly args: Readonly<Record<string, readonly string[]>>
  readonly log: string | undefined
  readonly ms: number
  /** the person set the time limit */
  readonly isTimed: boolean
}

export function printPlan(plan: TaskPlan, context: OrchestrateContext, write: (text: string) => void): void {
  if (context.json) context.terminal.out(`${JSON.stringify(taskPlanJson(plan, context))}\n`)
  else write(`${taskPlanLines(plan, context).join('\n')}\n`)
}

interface TaskOptions {
  readonly root: string
  readonly stop: AbortSignal
  /** printed before each line */
  readonly label: string
  /** the only paths the task may change */
  readonly may?: readonly string[] | undefined
}

export function runPlannedTask(
  plan: TaskPlan,
  context: OrchestrateContext,
  { root, stop, label, may }: TaskOptions,
): Promise<TaskReport> {
  const { project, terminal, json, liftedGates, routed, args, ms } = context
  const { state } = project.folders
  const life = startHeartbeat(terminal, json, label)
  const onEvent = (event: TaskEvent) => {
    life.noteOutput()
    if (event.type === 'begin')
      recordTaskStart(`${event.id} by ${event.backend}, ${plan.mode}: ${toReasonLine(redact(plan.task))}`, context)
    if (json) terminal.out(`${JSON.stringify({ ...taskEventJson(event), ...(label && { task: plan.task }) })}\n`)
    else {
      const line = taskEventLine(event)
      if (line !== undefined) terminal.err(`${label}${line}\n`)
    }
  }
  const confirmFallback = (next: Backend) => offerFallback(next, context, label !== '')
  const setting = {
    root,
    state,
    env: terminal.env,
    timeoutMs: ms,
    liftedGates,
    may,
    routed,
    args,
    stop,
    onEvent,
    confirmFallback,
  }
  return runTask(plan, setting).finally(life.end)
}

const HEARTBEAT_MS = 15_000

/** Shows now and then that the task is still running. */
function startHeartbeat({ window, err }: Terminal, json: boolean, label: string) {
  const began = Date.now()
  let last = began
  const beat = setInterval(() => {
    if (json || !window?.err || Date.now() - last < HEARTBEAT_MS) return
    last = Date.now()
    err(`${label}  … ${formatDuration(last - began)}\n`)
  }, 1000)
  return {
    noteOutput: () => {
      last = Date.now()
    },
    end: () => clearInterval(beat),
  }
}

/** Asks whether to try the next backend. If nobody can answer, the report names it. */
async function offerFallback(
  next: Backend,
  { terminal, json, fallback }: OrchestrateContext,
  isOneOfMany: boolean,
): Promise<boolean> {
  if (fallback) return true
  if (json || isOneOfMany || !terminal.canAsk) return false
  const answer = await terminal.ask(`Use ${next.title} instead? [y/N] `)
  return /^y(es)?$/i.test(answer.trim())
}

const recordTaskStart = (text: string, { project, terminal }: OrchestrateContext): void =>
  recordAction(project.folders, 'orchestrate.begin', text, terminal)

/** Prints the report and writes it to the history, the audit log and the log file. */
export function recordReport(
  report: TaskReport,
  { project, terminal, json, log }: OrchestrateContext,
  name?: string,
): void {
  const { folders } = project
  recordAction(folders, 'orchestrate.end', historyLine(report), terminal)
  const isStored = appendHistory(folders.state, report)
  const logged = log === undefined || appendToLog(log, folders.home, report)
  if (!isStored || !logged) terminal.err(`NOT LOGGED  ${isStored ? log : 'the history'} cannot be written\n`)
  if (json) terminal.out(`${JSON.stringify(taskReportJson(report))}\n`)
  else terminal.out(`${taskReportLines(report, name).join('\n')}\n`)
}
