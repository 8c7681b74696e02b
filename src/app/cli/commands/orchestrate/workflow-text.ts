import { workflowRunState } from '../../../../hook/index.ts'
import { escapeControlChars } from '../../../../lib/escape-control-chars.ts'
import type { Workflow, WorkflowEntry } from '../../../../policy/index.ts'
import type { StoredRun } from '../../../../store/index.ts'
import { countFiles, entryIdOf, type WorkflowEvent } from '../../../orchestrate/index.ts'
import { formatDuration } from '../bypass/active-bypasses.ts'

const LABEL_WIDTH = 12

/** The steps of the workflow and the backend of each. */
export function workflowPlanLines(name: string, { about, steps }: Workflow, backends: readonly (string | undefined)[]) {
  return [
    `workflow ${name}${about ? `: ${about}` : ''}`,
    ...steps.flatMap((entry, nth) => {
      const [first = '', ...rest] = entryText(entry, backends[nth])
      const head = `${String(nth + 1).padStart(3)}  ${entryIdOf(entry).padEnd(LABEL_WIDTH)}`
      return [`${head} ${first}`, ...rest.map(line => `${' '.repeat(head.length)} ${line}`)]
    }),
  ]
}

function entryText(entry: WorkflowEntry, backend = 'nobody'): readonly string[] {
  if (entry.kind === 'gate') return [`continues when the gate \`${entry.gate}\` is open`]
  if (entry.kind === 'person') return [`asks a person: ${escapeControlChars(entry.question)}`]
  const { agent, artifacts, may, repeat } = entry
  const until = repeat && ('run' in repeat.until ? `\`${repeat.until.run}\` succeeds` : untilFile(repeat.until))
  return [
    `by ${backend}${agent ? `, led by ${agent}` : ''}`,
    ...(artifacts.length > 0 ? [`writes ${artifacts.join(', ')}`] : []),
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
      return `✓ ${event.id}${event.artifacts.length > 0 ? ` wrote ${event.artifacts.join(', ')}` : ''}`
    case 'workflow.again':
      return `↻ ${event.id}: ${escapeControlChars(event.why)}`
  }
}

const STATE_WORDS = {
  running: 'RUNNING',
  waiting: 'WAITING',
  stopped: 'STOPPED',
  failed: 'FAILED',
  done: 'DONE',
  interrupted: 'INTERRUPTED',
} as const

/** The state of a run as text for a person. */
export function workflowRunLines(run: StoredRun): readonly string[] {
  const { id, workflow, steps, plan, why, at, changed } = run
  const done = steps.filter(step => step.state === 'done').length
  const state = workflowRunState(run)
  return [
    `${STATE_WORDS[state]}  workflow ${workflow} ${id}, ${done} of ${plan.length} steps, ${formatDuration(changed - at)}`,
    ...plan.map((name, nth) => {
      const step = steps[nth]
      const left = step?.artifacts.map(artifact => artifact.path).join(', ') ?? ''
      const round = step && step.round > 1 ? `round ${step.round}` : ''
      const files = step && step.files.length > 0 ? countFiles(step.files.length) : ''
      const parts = [
        step?.state === 'running' && state === 'interrupted' ? 'interrupted' : (step?.state ?? 'not started'),
      ]
      return `  ${escapeControlChars(name).padEnd(LABEL_WIDTH)} ${[...parts, round, files, left && `wrote ${left}`].filter(Boolean).join(', ')}`
    }),
    ...(why !== undefined && state !== 'done' ? [`  ${escapeControlChars(why)}`] : []),
    ...(state === 'done' || state === 'running' ? [] : [`Next  signalbox orchestrate --resume ${id}`]),
  ]
}

/** One line of the history. */
export function workflowRunLine(run: StoredRun): string {
  const { id, workflow, steps, plan, request, why } = run
  const done = steps.filter(step => step.state === 'done').length
  const state = workflowRunState(run)
  const facts = `${id} ${state} workflow ${workflow} ${done}/${plan.length} steps`
  return escapeControlChars(
    [facts, toShortLine(request), state === 'done' ? '' : toShortLine(why ?? '')].filter(Boolean).join(' | '),
  )
}

const toShortLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100)
