import { countOf, idOf, type WorkflowEvent } from '../orchestrator/index.ts'
import { visible } from '../pattern/index.ts'
import type { Workflow, WorkflowEntry } from '../policy/index.ts'
import { runStateOf } from '../runtime/index.ts'
import type { StoredRun } from '../store/index.ts'
import { spanOf } from './lifting.ts'

const WIDTH = 12

/** What would be done, and by whom. */
export function workflowPlanLines(name: string, { about, steps }: Workflow, who: readonly (string | undefined)[]) {
  return [
    `workflow ${name}${about ? `: ${about}` : ''}`,
    ...steps.flatMap((entry, nth) => {
      const [first = '', ...rest] = entryWords(entry, who[nth])
      const head = `${String(nth + 1).padStart(3)}  ${idOf(entry).padEnd(WIDTH)}`
      return [`${head} ${first}`, ...rest.map(line => `${' '.repeat(head.length)} ${line}`)]
    }),
  ]
}

function entryWords(entry: WorkflowEntry, who = 'nobody'): readonly string[] {
  if (entry.kind === 'gate') return [`goes on when the gate \`${entry.gate}\` is open`]
  if (entry.kind === 'person') return [`asks a person: ${visible(entry.question)}`]
  const { agent, artifacts, may, repeat } = entry
  const until = repeat && ('run' in repeat.until ? `\`${repeat.until.run}\` succeeds` : untilFile(repeat.until))
  return [
    `by ${who}${agent ? `, led by ${agent}` : ''}`,
    ...(artifacts.length > 0 ? [`leaves ${artifacts.join(', ')}`] : []),
    ...(may ? [`may change ${may.join(', ')}`] : []),
    ...(repeat ? [`at most ${repeat.most} rounds, until ${until}`] : []),
  ]
}

const untilFile = ({ file, says }: { readonly file: string; readonly says: string }): string => `${file} says "${says}"`

export function workflowEventLine(event: WorkflowEvent): string {
  switch (event.type) {
    case 'workflow.step':
      return `▶ step ${event.nth} of ${event.of}: ${event.id}${event.round > 1 ? `, round ${event.round}` : ''}`
    case 'workflow.done':
      return `✓ ${event.id}${event.artifacts.length > 0 ? ` left ${event.artifacts.join(', ')}` : ''}`
    case 'workflow.again':
      return `↻ ${event.id}: ${visible(event.why)}`
  }
}

const STATES = {
  running: 'RUNNING',
  waiting: 'WAITING',
  stopped: 'STOPPED',
  failed: 'FAILED',
  done: 'DONE',
  interrupted: 'INTERRUPTED',
} as const

/** What became of a run, for a person. */
export function runLines(run: StoredRun): readonly string[] {
  const { id, workflow, steps, plan, why, at, changed } = run
  const done = steps.filter(one => one.state === 'done').length
  const state = runStateOf(run)
  return [
    `${STATES[state]}  workflow ${workflow} ${id}, ${done} of ${plan.length} steps, ${spanOf(changed - at)}`,
    ...plan.map((name, nth) => {
      const step = steps[nth]
      const left = step?.artifacts.map(one => one.path).join(', ') ?? ''
      const round = step && step.round > 1 ? `round ${step.round}` : ''
      const files = step && step.files.length > 0 ? countOf(step.files.length) : ''
      const told = [step?.state === 'running' && state === 'interrupted' ? 'interrupted' : (step?.state ?? 'to do')]
      return `  ${visible(name).padEnd(WIDTH)} ${[...told, round, files, left && `left ${left}`].filter(Boolean).join(', ')}`
    }),
    ...(why !== undefined && state !== 'done' ? [`  ${visible(why)}`] : []),
    ...(state === 'done' || state === 'running' ? [] : [`Next  signalbox orchestrate --resume ${id}`]),
  ]
}

/** One line of the history. */
export function runLine(run: StoredRun): string {
  const { id, workflow, steps, plan, request, why } = run
  const done = steps.filter(one => one.state === 'done').length
  const state = runStateOf(run)
  const facts = `${id} ${state} workflow ${workflow} ${done}/${plan.length} steps`
  return visible([facts, short(request), state === 'done' ? '' : short(why ?? '')].filter(Boolean).join(' | '))
}

const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100)

export const runJson = (run: StoredRun) => ({ type: 'workflow.report', ...run, state: runStateOf(run) })
