import {
  type Backend,
  lineOf,
  type Mode,
  type Plan,
  type Report,
  remember,
  runTask,
  type TaskEvent,
  tellLog,
} from '../orchestrator/index.ts'
import { redact } from '../store/index.ts'
import type { Terminal } from './command.ts'
import { audit, oneLine, spanOf } from './lifting.ts'
import { eventLine, planJson, planLines, reportLines } from './orchestrate-words.ts'
import type { Project } from './project.ts'

/** All that is decided before a task is done. */
export interface Desk {
  readonly project: Project
  readonly terminal: Terminal
  readonly json: boolean
  readonly fallback: boolean
  readonly backend?: string | undefined
  readonly mode?: Mode | undefined
  readonly order: readonly string[] | undefined
  readonly lifts: readonly string[]
  readonly letsBy: readonly string[]
  readonly routed: readonly string[]
  readonly args: Readonly<Record<string, readonly string[]>>
  readonly log: string | undefined
  readonly ms: number
  /** the person said how long */
  readonly isTimed: boolean
}

export function show(plan: Plan, desk: Desk, write: (text: string) => void): void {
  if (desk.json) desk.terminal.out(`${JSON.stringify(planJson(plan, desk))}\n`)
  else write(`${planLines(plan, desk).join('\n')}\n`)
}

interface Doing {
  readonly root: string
  readonly stop: AbortSignal
  /** in front of each line */
  readonly label: string
  /** all that it may change */
  readonly may?: readonly string[] | undefined
}

export function doTask(plan: Plan, desk: Desk, { root, stop, label, may }: Doing): Promise<Report> {
  const { project, terminal, json, lifts, routed, args, ms } = desk
  const { state } = project.folders
  const life = signOfLife(terminal, json, label)
  const tell = (event: TaskEvent) => {
    life.heard()
    if (event.type === 'begin')
      note(`${event.id} by ${event.backend}, ${plan.mode}: ${oneLine(redact(plan.task))}`, desk)
    if (json) terminal.out(`${JSON.stringify({ ...event, ...(label && { task: plan.task }) })}\n`)
    else {
      const line = eventLine(event)
      if (line !== undefined) terminal.err(`${label}${line}\n`)
    }
  }
  const goOn = (next: Backend) => offer(next, desk, label !== '')
  const setting = { root, state, env: terminal.env, timeoutMs: ms, lifts, may, routed, args, stop, tell, goOn }
  return runTask(plan, setting).finally(life.end)
}

const SILENCE_MS = 15_000

/** Who looks on is told now and then that it still goes on. */
function signOfLife({ window, err }: Terminal, json: boolean, label: string) {
  const began = Date.now()
  let last = began
  const beat = setInterval(() => {
    if (json || !window?.err || Date.now() - last < SILENCE_MS) return
    last = Date.now()
    err(`${label}  … ${spanOf(last - began)}\n`)
  }, 1000)
  return {
    heard: () => {
      last = Date.now()
    },
    end: () => clearInterval(beat),
  }
}

/** The next one is offered to who can answer; else it is named at the end. */
async function offer(next: Backend, { terminal, json, fallback }: Desk, isOneOfMany: boolean): Promise<boolean> {
  if (fallback) return true
  if (json || isOneOfMany || !terminal.canAsk) return false
  const answer = await terminal.ask(`Shall ${next.title} do it instead? [y/N] `)
  return /^y(es)?$/i.test(answer.trim())
}

const note = (text: string, { project, terminal }: Desk): void =>
  audit(project.folders, 'orchestrate.begin', text, terminal)

/** Told, put into the history, the audit trail and the log. */
export function keep(report: Report, { project, terminal, json, log }: Desk, name?: string): void {
  const { folders } = project
  audit(folders, 'orchestrate.end', lineOf(report), terminal)
  const kept = remember(folders.state, report)
  const logged = log === undefined || tellLog(log, folders.home, report)
  if (!kept || !logged) terminal.err(`NOT LOGGED  ${kept ? log : 'the history'} cannot be written\n`)
  if (json) terminal.out(`${JSON.stringify({ type: 'report', ...report })}\n`)
  else terminal.out(`${reportLines(report, name).join('\n')}\n`)
}
