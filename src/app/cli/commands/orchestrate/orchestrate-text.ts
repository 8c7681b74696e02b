import { escapeControlChars } from '../../../../lib/escape-control-chars.ts'
import { countFiles, type TaskEvent, type TaskPlan, type TaskReport } from '../../../orchestrate/index.ts'
import { formatDuration } from '../bypass/active-bypasses.ts'

const MIN_WIDTH = 10

/** What an approval under this policy lets its task do. */
export interface ApprovalScope {
  /** ids of the gates that the policy's setting lifts */
  readonly liftedGates: readonly string[]
  /** names of all gates that let the task pass */
  readonly gatesLettingPast: readonly string[]
  readonly ms: number
}

/** The plan as text for a person. */
export function taskPlanLines({ mode, decision, candidates, missing, why }: TaskPlan, about: ApprovalScope) {
  const [first, ...then] = candidates
  const { intent, complexity, confidence } = decision
  const lifted = about.gatesLettingPast.length > 0 ? `; bypasses ${about.gatesLettingPast.join(', ')}` : ''
  const rows = [
    ['because', first ? why : ''],
    ['intent', `${intent}, ${complexity}, ${Math.round(confidence * 100)} % sure`],
    [
      'approval',
      mode === 'prompt'
        ? 'none: this is a question, so nothing is changed (to have work done, add --mode agent)'
        : `for ${formatDuration(about.ms)}${lifted}`,
    ],
    ['fallback', then.map(backend => backend.id).join(', ')],
    ['not found', missing.map(backend => backend.id).join(', ')],
  ].filter(([, text]) => text)
  return [
    `${mode}  by ${first ? first.title : 'nobody: no agent is installed'}`,
    ...rows.map(([name = '', text]) => `  ${name.padEnd(MIN_WIDTH)}${text}`),
  ]
}

/** One line of progress; undefined for events that the final report covers. */
export function taskEventLine(event: TaskEvent): string | undefined {
  switch (event.type) {
    case 'begin':
      return `▸ ${event.backend}`
    case 'step':
      return `  ${escapeControlChars(event.text)}`
    case 'trouble':
      return `✗ ${escapeControlChars(event.why)}`
    default:
      return undefined
  }
}

/** The result as text for a person. `name`: the task's name when several run in parallel. */
export function taskReportLines(report: TaskReport, name?: string): readonly string[] {
  const { outcome, backend, ms, files, spent, result, worktree, next, kind, isSelfReported } = report
  const tokens = spent ? `${spent.input.toLocaleString('en')} + ${spent.output.toLocaleString('en')} tokens` : ''
  const cost = spent?.costUsd === undefined ? '' : `$${spent.costUsd.toFixed(4)}`
  const facts = [`by ${backend}`, formatDuration(ms), countFiles(files.length), tokens, cost].filter(Boolean).join(', ')
  const hint = next && `Next  signalbox orchestrate --backend ${next} "<task>"`
  const half = kind && files.length > 0 ? 'It had already started: check its changes first.' : ''
  return [
    ...(result ? [...result.split('\n').map(escapeControlChars), ''] : []),
    `${OUTCOME_WORDS[outcome]}  ${name ? `${name}, ` : ''}${facts}`,
    ...files.map(({ path, how }) => `  ${how.padEnd(MIN_WIDTH)}${escapeControlChars(path)}`),
    ...(isSelfReported && files.length > 0 ? ['  as reported by the agent: git cannot show the changes here'] : []),
    ...(worktree ? [`  in ${worktree.folder}, branch ${worktree.branch}`] : []),
    ...[half, hint ?? ''].filter(Boolean),
  ]
}

const OUTCOME_WORDS = { done: 'DONE', failed: 'FAILED', stopped: 'STOPPED' } as const

/** `90s`, `10m`, `1h`. A bare number is minutes. */
export function parseTaskDuration(text: string): number | undefined {
  const [, amount, unit = 'm'] = /^(\d{1,6})\s*(s|m|min|h)?$/.exec(text) ?? []
  const ms = Number(amount) * (unit === 's' ? 1000 : unit === 'h' ? 3_600_000 : 60_000)
  return amount !== undefined && ms > 0 && ms <= MAX_TASK_MS ? ms : undefined
}

/** An approval lasts eight hours at most. */
const MAX_TASK_MS = 7 * 3_600_000
