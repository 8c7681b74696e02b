import type { Workflow, WorkflowEntry, WorkflowStep } from '../../policy/index.ts'
import { redact, type StoredRun, type StoredStep } from '../../store/index.ts'
import type { Report } from '../task.ts'
import { artifactAt, artifactProblem, hashesOf, strayed } from './artifacts.ts'
import { stepPrompt } from './prompt.ts'
import { digestOf, idOf } from './resume.ts'
import { notYet } from './until.ts'

/** What a workflow asks of the program around it. */
export interface Stagehand {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stop: AbortSignal
  /** what the person asked for, in full: a run is kept without what is secret in it */
  readonly request: string
  timeFor(step: WorkflowStep): number
  /** Has one step done by an agent. */
  task(step: WorkflowStep, prompt: string, timeoutMs: number): Promise<Report>
  /** Why the next step cannot begin; undefined: it can. `last`: the step before. */
  gate(name: string, last: StoredStep | undefined): string | undefined
  /** Undefined: no person is there. */
  ask(question: string): Promise<boolean | undefined>
  /** Keeps it, so that another process can go on. */
  save(run: StoredRun): void
  tell(event: WorkflowEvent): void
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

/** Runs what is left of a workflow, entry by entry. What it gives is saved already. */
export async function runWorkflow(workflow: Workflow, begun: StoredRun, hand: Stagehand): Promise<StoredRun> {
  let run = begun
  const save = (change: Partial<StoredRun>): StoredRun => {
    run = { ...run, ...change, changed: Date.now() }
    hand.save(run)
    return run
  }
  save({ state: 'running' })
  const { first, closed } = firstOpen(workflow, run, hand)
  for (let nth = first; nth < workflow.steps.length; nth++) {
    const entry = workflow.steps[nth] as WorkflowEntry
    const known = run.steps[nth]
    const earlier = run.steps.slice(0, nth)
    const keep = (step: StoredStep) =>
      void save({ steps: [...earlier, step], before: { ...run.before, [step.digest]: step.before } })
    const around = { run, nth, of: workflow.steps.length, known, earlier, keep, hand }
    const ended = await (entry.kind === 'step'
      ? runStep(entry, { ...around, ...(nth === first && closed !== undefined && { closed }) })
      : passStop(entry, known, earlier, hand))
    keep(ended)
    if (ended.state !== 'done') {
      const { why } = ended
      return save({ state: ended.state, ...(why !== undefined && { why: `${ended.id}: ${why}` }) })
    }
  }
  return save({ state: 'done' })
}

/** A gate that is still closed is opened by the agent of the step before it: that one runs again. */
function firstOpen({ steps }: Workflow, run: StoredRun, hand: Stagehand): { first: number; closed?: string } {
  const nth = run.steps.findIndex(one => one.state !== 'done')
  const at = nth < 0 ? run.steps.length : nth
  const entry = steps[at]
  const before = steps.slice(0, at).findLastIndex(one => one.kind === 'step')
  const wasClosed = entry?.kind === 'gate' && run.steps[at]?.state === 'waiting'
  const closed = wasClosed && before >= 0 ? hand.gate(entry.gate, run.steps[before]) : undefined
  return closed === undefined ? { first: at } : { first: before, closed }
}

async function passStop(
  entry: Exclude<WorkflowEntry, WorkflowStep>,
  known: StoredStep | undefined,
  earlier: readonly StoredStep[],
  hand: Stagehand,
): Promise<StoredStep> {
  const begun = { ...known, ...emptyStep(entry), began: known?.began ?? Date.now() }
  const last = earlier.findLast(one => one.id !== 'person' && !one.id.startsWith('gate '))
  if (entry.kind === 'gate') {
    const closed = hand.gate(entry.gate, last)
    return closed === undefined ? done(begun) : { ...begun, state: 'waiting', why: closed }
  }
  const answer = await hand.ask(entry.question)
  if (answer === undefined) return { ...begun, state: 'waiting', why: `a person must answer: ${entry.question}` }
  return answer ? done(begun) : { ...begun, state: 'stopped', why: `a person said no: ${entry.question}` }
}

const emptyStep = (entry: WorkflowEntry) => ({
  ...{ id: idOf(entry), digest: digestOf(entry), round: 1, before: {}, artifacts: [], files: [] },
})

const done = ({ why: _, failure: __, ...step }: Omit<StoredStep, 'state'>): StoredStep => ({
  ...step,
  state: 'done',
  ended: Date.now(),
})

interface Running {
  readonly run: StoredRun
  readonly nth: number
  readonly of: number
  /** as an earlier attempt left it */
  readonly known: StoredStep | undefined
  /** why it runs again though it is done: the gate behind it */
  readonly closed?: string
  readonly earlier: readonly StoredStep[]
  readonly keep: (step: StoredStep) => void
  readonly hand: Stagehand
}

async function runStep(step: WorkflowStep, running: Running): Promise<StoredStep> {
  const { run, nth, of, known, earlier, keep, hand } = running
  const { root } = run
  const timeoutMs = hand.timeFor(step)
  // a step that has failed begins again with its first round; one that was broken off goes on
  let isAgain = known !== undefined && known.state !== 'done' && known.state !== 'failed'
  let now: StoredStep = isAgain && known ? begunAgain(known) : begin(step, running)
  for (;;) {
    keep(now)
    hand.tell({ type: 'workflow.step', id: step.id, round: now.round, nth: nth + 1, of })
    const given = { request: hand.request, earlier, round: now.round, failure: now.failure ?? '', isAgain }
    const report = await hand.task(step, stepPrompt(step, given), timeoutMs)
    isAgain = false
    now = { ...now, ...reported(now, report) }
    const broken = brokenBy(step, now, report, root)
    if (broken) return { ...now, ended: Date.now(), ...broken }
    const failure = await unfinished(step, now, { root, env: hand.env, timeoutMs, stop: hand.stop })
    if (hand.stop.aborted) return { ...now, state: 'stopped', ended: Date.now(), why: 'it was stopped' }
    if (failure === undefined) {
      hand.tell({ type: 'workflow.done', id: step.id, artifacts: step.artifacts })
      return done({ ...now, artifacts: step.artifacts.flatMap(path => artifactAt(root, path) ?? []) })
    }
    if (now.round >= (step.repeat?.most ?? 1)) {
      const rounds = step.repeat ? ` (after ${now.round} rounds)` : ''
      return { ...now, state: 'failed', ended: Date.now(), why: `${firstLine(failure)}${rounds}` }
    }
    hand.tell({ type: 'workflow.again', id: step.id, why: firstLine(failure) })
    now = { ...now, round: now.round + 1, failure }
  }
}

/** What an earlier attempt in this run has left counts as the step's own work: it need not be changed once more. */
function begin(step: WorkflowStep, { run, known, closed }: Running): StoredStep {
  const empty = emptyStep(step)
  const before = run.before?.[empty.digest] ?? known?.before ?? hashesOf(run.root, step.artifacts)
  return { ...empty, state: 'running', began: Date.now(), before, ...(closed !== undefined && { failure: closed }) }
}

const begunAgain = ({ why: _, ended: __, ...step }: StoredStep): StoredStep => ({ ...step, state: 'running' })

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

const reported = ({ files }: StoredStep, report: Report): Partial<StoredStep> => ({
  backend: report.backend,
  ...(report.session !== undefined && { session: report.session }),
  files: [...new Set([...files, ...report.files.map(one => one.path)])],
})

/** What ends it at once. What another day, a person or another backend can help with is not a failure of the step. */
function brokenBy(step: WorkflowStep, now: StoredStep, { outcome, trouble, kind, files }: Report, root: string) {
  const outside = strayed(
    root,
    step,
    files.map(one => one.path),
  )
  if (outside.length > 0)
    return { state: 'failed' as const, why: `it changed what it must not: ${redact(outside.join(', '))}` }
  if (outcome === 'done') return undefined
  const goesOn = outcome === 'stopped' || kind === 'quota' || kind === 'signed-out' || kind === 'missing'
  return {
    state: goesOn ? ('stopped' as const) : ('failed' as const),
    why: trouble ?? `it was stopped in round ${now.round}`,
  }
}

const unfinished = async (
  step: WorkflowStep,
  { before }: StoredStep,
  where: Parameters<typeof notYet>[1],
): Promise<string | undefined> =>
  artifactProblem(where.root, step, before) ?? (step.repeat ? await notYet(step.repeat.until, where) : undefined)
