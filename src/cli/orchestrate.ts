import { sendersIn } from '../install/index.ts'
import {
  expanded,
  gatesLetBy,
  lineOf,
  MODES,
  type Plan,
  planOf,
  type Report,
  recall,
  routedGates,
  TASK,
  troubleWords,
} from '../orchestrator/index.ts'
import { TASK_MINUTES } from '../policy/index.ts'
import { route } from '../router/index.ts'
import { isInTask } from '../runtime/index.ts'
import { readRuns, redact } from '../store/index.ts'
import type { Command, ExitCode, Terminal } from './command.ts'
import { type Desk, doTask, keep, show } from './orchestrate-task.ts'
import { together } from './orchestrate-together.ts'
import { spanIn } from './orchestrate-words.ts'
import { planWorkflow, resumeWorkflow, startWorkflow, workflowNamed } from './orchestrate-workflow.ts'
import { openProject, type Project } from './project.ts'
import { readInput } from './read-input.ts'
import { onSignals } from './stopping.ts'
import { runJson, runLine } from './workflow-words.ts'

const LAST = 20

export const orchestrate: Command = {
  name: 'orchestrate',
  summary: 'Has a task done by an agent that is approved for it: Claude Code, Codex or Gemini, whichever fits.',
  usage:
    '[--backend ID] [--plan] "<task>" | - (from stdin) | --parallel "<task>" "<task>" … | --workflow NAME "<request>" | --resume [ID] | --history',
  about: {
    backend: 'who does it: claude, codex, gemini',
    mode: 'how it is put: agent, prompt (a question, changes nothing), command, skill',
    plan: 'decide, and run nothing',
    timeout: 'how long it may take: 90s, 10m, 1h (30m)',
    fallback: 'where one cannot, go on with the next without asking',
    parallel: 'each argument is a task, all at once, in worktrees of their own',
    workflow: 'run the steps of a workflow of the policy, by its name',
    resume: 'go on with a workflow that was stopped, interrupted or waits',
    history: 'what was done, the latest last',
    json: 'one line of JSON for each step',
  },
  example: 'signalbox orchestrate "add a --verbose flag to the cli, with a test"',
  options: {
    ...{ backend: { type: 'string' }, mode: { type: 'string' }, timeout: { type: 'string' } },
    ...{ plan: { type: 'boolean' }, fallback: { type: 'boolean' }, parallel: { type: 'boolean' } },
    ...{ workflow: { type: 'string' }, resume: { type: 'boolean' } },
    ...{ history: { type: 'boolean' }, json: { type: 'boolean' } },
  },
  positionals: true,
  async run({ values, positionals, terminal }) {
    const project = openProject(terminal)
    const json = values.json === true
    if (values.history) return history(project, terminal, json)
    const said = positionals.length === 1 && positionals[0] === '-' ? [await readInput(terminal)] : positionals
    const tasks = (values.parallel ? said : [said.join(' ')]).map(one => one.trim())
    const asked = { ...wishesOf(values), json, fallback: values.fallback === true }
    if (values.resume)
      return resume(said, { project, terminal, ...asked, ...settingsOf(project, asked.timeoutMs) }, values)
    if (tasks.length === 0 || tasks.some(one => one === ''))
      throw new Error('the task is empty: say what is to be done')
    refuseInside(project, terminal)
    const desk: Desk = { project, terminal, ...asked, ...settingsOf(project, asked.timeoutMs) }
    tellUntrusted(project, terminal)
    const flow = workflowIn(values.workflow, tasks[0] ?? '', desk)
    if (flow && values.parallel) throw new Error('a workflow runs alone: leave out `--parallel`')
    if (flow) return (values.plan ? planWorkflow : startWorkflow)(flow, flow.request, desk)
    const plans = tasks.map(task => planFor(task, desk))
    if (values.plan) {
      for (const plan of plans) show(plan, desk, terminal.out)
      return plans.every(plan => isAble(plan, desk)) ? 0 : 2
    }
    const unable = plans.find(plan => !isAble(plan, desk))
    if (unable) return tellMissing(unable, desk)
    return values.parallel ? together(plans, desk) : alone(plans[0] as Plan, desk)
  },
}

/** By `--workflow`, or by a command of the policy that names one: `/bmad add a login`. */
function workflowIn(name: unknown, said: string, desk: Desk) {
  if (typeof name === 'string') return { ...workflowNamed(name, desk), request: said }
  const { settings, workflows = {} } = desk.project.policy.program
  const [, word = '', words = ''] = /^\/([\w-]+)(?:\s+(.*))?$/s.exec(said) ?? []
  const { commands = {} } = settings.orchestrator ?? {}
  const meant = Object.hasOwn(commands, word) ? (commands[word]?.workflow ?? '') : word
  if (!Object.hasOwn(workflows, meant)) return undefined
  const request = words.trim()
  if (request === '') throw new Error(`the task is empty: say what \`/${word}\` is to do`)
  return { ...workflowNamed(meant, desk), request }
}

function resume(said: readonly string[], desk: Desk, { workflow, parallel, plan }: Readonly<Record<string, unknown>>) {
  if (workflow !== undefined || parallel || plan) throw new Error('`--resume` goes with an id only')
  refuseInside(desk.project, desk.terminal)
  tellUntrusted(desk.project, desk.terminal)
  const [first = '', ...words] = said
  const id = /^[0-9a-f]{8}$/.test(first) ? first : undefined
  if (id === undefined && first !== '')
    throw new Error(`\`${first}\` is no id of a workflow run: \`--history\` shows them`)
  return resumeWorkflow(id, words.join(' ').trim(), desk)
}

function wishesOf({ backend, mode, timeout }: Readonly<Record<string, unknown>>) {
  const known = MODES.find(one => one === mode)
  if (mode !== undefined && !known) throw new Error(`unknown mode \`${mode}\`; there are ${MODES.join(', ')}`)
  const timeoutMs = timeout === undefined ? undefined : spanIn(String(timeout))
  if (timeout !== undefined && timeoutMs === undefined)
    throw new Error(`\`--timeout\` is like \`90s\`, \`10m\` or \`1h\`, up to 7h, not \`${timeout}\``)
  return { backend: typeof backend === 'string' ? backend : undefined, mode: known, timeoutMs }
}

function settingsOf({ policy }: Project, timeoutMs: number | undefined) {
  const { backends, lifts = [], minutes = TASK_MINUTES, args = {}, log } = policy.program.settings.orchestrator ?? {}
  const routed = routedGates(policy.program)
  const letsBy = gatesLetBy(policy.program, [...lifts, ...routed])
  return {
    order: backends,
    lifts,
    letsBy,
    routed,
    args,
    log,
    ms: timeoutMs ?? minutes * 60_000,
    isTimed: timeoutMs !== undefined,
  }
}

/** Who is approved does the work: a task that starts tasks would have no end. */
function refuseInside({ folders }: Project, { env }: Terminal): void {
  if (env[TASK] !== undefined || isInTask(folders.state, process.pid))
    throw new Error('this is an orchestrated task already, and approved: do the work here')
}

/** What a project says of it waits for a person, and does nothing until then. */
function tellUntrusted({ policy }: Project, { err }: Terminal): void {
  const waits = policy.layers.some(({ inert }) => inert.some(one => one.startsWith('setting `orchestrator`')))
  if (waits) err("The project's `settings.orchestrator` waits for `signalbox trust`: it is as if it were not there.\n")
}

/** What the policy makes of a command of its own; what kind of task it is, the person's words say. */
function planFor(said: string, { project, terminal, backend, mode, order }: Desk): Plan {
  const { program } = project.policy
  const { words, task, named } = expanded(said, program.settings.orchestrator?.commands ?? {}, sendersIn(program))
  const wishes = {
    backend: backend ?? named?.backend,
    mode: mode ?? named?.mode,
    order,
    by: backend ? undefined : named?.by,
  }
  const plan = planOf(task, route(words), wishes, { ...placeOf(project), path: terminal.env.PATH })
  if (plan.unknown === undefined || mode !== undefined) return plan
  const places = 'neither the policy (`settings.orchestrator.commands`) nor an agent here has it'
  throw new Error(`unknown command \`/${plan.unknown}\`: ${places}; \`--mode command\` gives it on as it is`)
}

const placeOf = ({ root, folders }: Project) => ({ root, home: folders.home })

const isAble = ({ able }: Plan, { backend }: Desk): boolean =>
  able.length > 0 && (backend === undefined || able[0]?.id === backend || able[0]?.program === backend)

/** Nobody, or not the one that was wanted. */
function tellMissing(plan: Plan, { terminal: { err, out }, backend, json }: Desk): ExitCode {
  const { able, missing, task, mode } = plan
  const wanted = backend === undefined ? missing : missing.slice(0, 1)
  const why = wanted.map(one => troubleWords({ kind: 'missing', why: '' }, one))
  const next = able[0]?.id
  for (const one of why) err(`signalbox orchestrate: ${one}\n`)
  if (next) err(`Next  signalbox orchestrate --backend ${next} "<task>"\n`)
  const told = { type: 'report', task: redact(task), mode, outcome: 'failed', backend: null, kind: 'missing' }
  if (json)
    out(`${JSON.stringify({ ...told, trouble: why.join('; '), files: [], tried: [], ...(next && { next }) })}\n`)
  return 2
}

async function alone(plan: Plan, desk: Desk): Promise<ExitCode> {
  show(plan, desk, desk.terminal.err)
  const stopping = onSignals()
  try {
    const report = await doTask(plan, desk, { root: desk.project.root, stop: stopping.signal, label: '' })
    keep(report, desk)
    return report.outcome === 'done' ? 0 : 1
  } finally {
    await stopping.end()
  }
}

/** Of this project, its worktrees included. */
function history(project: Project, { out }: Terminal, json: boolean): ExitCode {
  const { folders, root } = project
  const isHere = (one: Report) => one.root === root || one.worktree?.of === root
  const reports = recall(folders.state).filter(isHere).slice(-LAST)
  const runs = readRuns(folders.state, { root, most: LAST })
  const when = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  if (json) for (const one of [...reports, ...runs.map(runJson)]) out(`${JSON.stringify(one)}\n`)
  else if (reports.length + runs.length === 0) out('Nothing was orchestrated yet.\n')
  else
    for (const { at, line } of [
      ...reports.map(one => ({ at: one.at, line: lineOf(one) })),
      ...runs.map(one => ({ at: one.at, line: runLine(one) })),
    ].sort((a, b) => a.at - b.at))
      out(`${when(at)}  ${line}\n`)
  return 0
}
