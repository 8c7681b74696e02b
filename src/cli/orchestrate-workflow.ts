import { join } from 'node:path'
import { idOf, type Plan, planOf, type Report, resumed, runWorkflow, type Stagehand } from '../orchestrator/index.ts'
import { makeFolder, type Workflow, type WorkflowStep } from '../policy/index.ts'
import { route } from '../router/index.ts'
import { bornOf, randomHex, storeOptions } from '../runtime/index.ts'
import { type Lock, readRuns, redact, SqliteStore, type StoredRun, sha256, takeLock } from '../store/index.ts'
import type { ExitCode } from './command.ts'
import { audit, oneLine } from './lifting.ts'
import { type Desk, doTask, keep } from './orchestrate-task.ts'
import { onSignals } from './stopping.ts'
import { closedGate } from './workflow-gate.ts'
import { runJson, runLine, runLines, workflowEventLine, workflowPlanLines } from './workflow-words.ts'

interface Named {
  readonly name: string
  readonly workflow: Workflow
}

/** By its name; a project's own is there once a person has trusted it. */
export function workflowNamed(name: string, { project }: Pick<Desk, 'project'>): Named {
  const { workflows = {} } = project.policy.program
  const workflow = Object.hasOwn(workflows, name) ? workflows[name] : undefined
  if (workflow) return { name, workflow }
  const waiting = waitingWorkflows(project)
  if (waiting.includes(name)) throw new Error(`the workflow \`${name}\` of this project waits for \`signalbox trust\``)
  const names = Object.keys(workflows)
  const there = [
    ...(names.length > 0 ? [`there are ${names.join(', ')}`] : []),
    ...(waiting.length > 0 ? [`\`signalbox trust\` is needed for ${waiting.join(', ')}`] : []),
  ]
  throw new Error(`there is no workflow \`${name}\`; ${there.join('; ') || 'the policy has none'}`)
}

/** Workflows of a project that no person has trusted yet. */
const waitingWorkflows = ({ policy }: Desk['project']): readonly string[] =>
  policy.layers.flatMap(({ inert }) => inert.flatMap(one => /^workflow `([^`]+)`/.exec(one)?.[1] ?? []))

/** `--plan`: who would do what. */
export function planWorkflow({ name, workflow }: Named, request: string, desk: Desk): ExitCode {
  const plans = workflow.steps.map(one => (one.kind === 'step' ? planFor(one, one.prompt, request, desk) : undefined))
  const who = plans.map(one => one?.able[0])
  const { json, terminal } = desk
  const steps = workflow.steps.map((one, nth) => ({ ...one, ...(one.kind === 'step' && { by: who[nth]?.id ?? null }) }))
  if (json) terminal.out(`${JSON.stringify({ type: 'workflow.plan', workflow: name, request, steps })}\n`)
  else
    terminal.out(
      `${workflowPlanLines(
        name,
        workflow,
        who.map(one => one?.title),
      ).join('\n')}\n`,
    )
  return plans.every(one => one === undefined || one.able.length > 0) ? 0 : 2
}

export async function startWorkflow(named: Named, request: string, desk: Desk): Promise<ExitCode> {
  const { root } = desk.project
  const now = Date.now()
  const words = redact(request)
  const run: StoredRun = {
    ...{ id: randomHex(4), workflow: named.name, root, request: words, state: 'running', at: now, changed: now },
    ...(words !== request && { isHidden: true as const }),
    ...{ pid: process.pid, born: bornOf(process.pid) ?? '', plan: named.workflow.steps.map(idOf), steps: [] },
  }
  return conduct(named, run, request, desk, () => run)
}

/** The one with this id; without one, the only one of this project that has not ended. */
export async function resumeWorkflow(id: string | undefined, again: string, desk: Desk): Promise<ExitCode> {
  const { folders, root } = desk.project
  const open = readRuns(folders.state, { root }).filter(one =>
    id === undefined ? one.state !== 'done' : one.id === id,
  )
  const [run] = open
  if (!run)
    throw new Error(id === undefined ? 'nothing waits to be resumed here' : `there is no workflow run \`${id}\` here`)
  if (open.length > 1)
    throw new Error(`${open.length} runs can be resumed, name one:\n${open.map(one => `  ${runLine(one)}`).join('\n')}`)
  if (run.state === 'done') throw new Error(`the workflow run \`${run.id}\` is done`)
  if (run.isHidden && again === '')
    throw new Error(`the request held a secret, which is not kept: say it again, \`--resume ${run.id} "<request>"\``)
  const named = workflowNamed(run.workflow, desk)
  return conduct(named, run, again || run.request, desk, () => goneOn(named, run, desk))
}

/** As it is now that nobody else can go on with it: another process may have done so since it was looked for. */
function goneOn({ workflow }: Named, { id }: StoredRun, { project, json, terminal }: Desk): StoredRun {
  const { folders, root } = project
  const run = readRuns(folders.state, { root }).find(one => one.id === id)
  if (!run) throw new Error(`there is no workflow run \`${id}\` here`)
  if (run.state === 'done') throw new Error(`the workflow run \`${id}\` is done`)
  const { steps, remarks } = resumed(workflow, run)
  if (!json) for (const one of remarks) terminal.err(`${oneLine(one)}\n`)
  else for (const one of remarks) terminal.out(`${JSON.stringify({ type: 'workflow.remark', text: one })}\n`)
  const { why: _, ...before } = run
  return { ...before, pid: process.pid, born: bornOf(process.pid) ?? '', plan: workflow.steps.map(idOf), steps }
}

/** `begin`: what there is to run, asked for once the lock is held. */
async function conduct(
  named: Named,
  wanted: StoredRun,
  request: string,
  desk: Desk,
  begin: () => StoredRun,
): Promise<ExitCode> {
  const { terminal, json, project } = desk
  const { folders } = project
  for (const step of named.workflow.steps)
    if (step.kind === 'step' && planFor(step, step.prompt, request, desk).able.length === 0)
      throw new Error(`nobody is here who could do step \`${step.id}\`: no backend is on the PATH`)
  const lock = lockOf(folders.state, wanted)
  const stopping = onSignals()
  const store = new SqliteStore(folders.state, storeOptions(folders))
  try {
    const run = begin()
    audit(folders, 'workflow.begin', `${run.id} ${run.workflow}: ${oneLine(run.request)}`, terminal)
    const hand = handOf(named, run, request, { desk, store, stop: stopping.signal })
    const ended = await runWorkflow(named.workflow, run, hand)
    audit(folders, 'workflow.end', runLine(ended), terminal)
    terminal.out(json ? `${JSON.stringify(runJson(ended))}\n` : `\n${runLines(ended).join('\n')}\n`)
    return ended.state === 'done' ? 0 : ended.state === 'waiting' ? 3 : 1
  } finally {
    store.close()
    lock.release()
    await stopping.end()
  }
}

/** One workflow of a name at a time in a project: two would write the same artifacts. The kernel lets go of it, however we end. */
function lockOf(state: string, { root, workflow }: StoredRun): Lock {
  const folder = join(state, 'workflows')
  makeFolder(folder)
  const file = join(folder, `${sha256(`${root}\0${workflow}`).slice(0, 16)}.lock`)
  const lock = takeLock(file)
  if (!lock) throw new Error(`the workflow \`${workflow}\` is running in this project already`)
  return lock
}

interface Around {
  readonly desk: Desk
  readonly store: SqliteStore
  readonly stop: AbortSignal
}

function handOf({ name }: Named, { id }: StoredRun, request: string, { desk, store, stop }: Around): Stagehand {
  const { project, terminal, json } = desk
  const { root, folders } = project
  return {
    request,
    env: terminal.env,
    stop,
    timeFor: step => (desk.isTimed || step.minutes === undefined ? desk.ms : step.minutes * 60_000),
    async task(step, prompt, ms) {
      const plan = planFor(step, prompt, request, desk)
      const report = await doTask(plan, { ...desk, ms }, { root, stop, label: '', may: step.may })
      const task = redact(`/${name} ${step.id}: ${request}`)
      const kept: Report = { ...report, task, workflow: { run: id, step: step.id } }
      keep(kept, desk)
      return report
    },
    gate: (gate, last) => closedGate(project, gate, last),
    async ask(question) {
      if (json || !terminal.canAsk || !terminal.isPerson) return undefined
      const isYes = /^y(es)?$/i.test((await terminal.ask(`${question} [y/N] `)).trim())
      audit(folders, 'workflow.person', `${id} a person said ${isYes ? 'yes' : 'no'}: ${oneLine(question)}`, terminal)
      return isYes
    },
    save: run => store.saveRun(run),
    tell: event => (json ? terminal.out(`${JSON.stringify(event)}\n`) : terminal.err(`${workflowEventLine(event)}\n`)),
  }
}

/** What kind of work it is, the person's words say; who does it, the person, then the step, then the policy. */
function planFor(
  step: WorkflowStep,
  prompt: string,
  request: string,
  { project, terminal, backend, order }: Desk,
): Plan {
  const by = backend === undefined && step.backend !== undefined ? `step ${step.id} names it` : undefined
  const wishes = { backend: backend ?? step.backend, mode: 'agent', order, by } as const
  const where = { root: project.root, home: project.folders.home, path: terminal.env.PATH }
  return planOf(prompt, route(request), wishes, where)
}
