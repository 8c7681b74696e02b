import { escapeControlChars, escapeControlCharsInJson } from '../../lib/escape-control-chars.ts'
import { localClock, localDay } from '../../lib/local-time.ts'
import { cutEnd, padTo, widestOf } from '../../lib/text-width.ts'
import type { ReplayResult } from './replay.ts'
import type { DecisionChange, ReplayDecision } from './tally.ts'

export interface ReplayViewOptions {
  /** what is tried and compared with; the second line of the output */
  readonly title: string
  readonly label: (file: string) => string
  /** display name of a gate id */
  readonly nameOf: (gate: string) => string
  readonly notes: readonly string[]
  /** the command line of this run, to which `Next` adds `--diff` */
  readonly typed: string
  /** compared with another policy, not with the recorded decisions */
  readonly comparesPolicies: boolean
  readonly ms: number
  /** terminal width; absent if the output is not a terminal */
  readonly width?: number | undefined
}

/** Output for people: numbers first, next steps last. */
export function showReplay(replayed: ReplayResult, showing: ReplayViewOptions): string {
  const { tally } = replayed
  const changes = [...tally.changes.values()].sort(
    (a, b) =>
      decisionRank(b.after) - decisionRank(a.after) ||
      b.events - a.events ||
      (a.gate + a.rule < b.gate + b.rule ? -1 : 1),
  )
  const first = changes[0]?.samples[0]
  const { worst } = tally
  const lines = [
    headline(replayed),
    showing.title,
    ...changes.flatMap(change => ['', ...changeLines(change, showing)]),
    ...gateTable(replayed, showing),
    '',
    ...(worst
      ? [
          `Worst  session ${worst.session} (${worst.client}): ${stopCountText(worst.stops)}, first at minute ${worst.minute}`,
        ]
      : []),
    ...gapLines(replayed),
    ...errorLines(replayed, showing),
    ...showing.notes.map(note => `Note  ${note}`),
    ...(replayed.isCut ? [`Note  cut after ${pluralize(tally.events, 'event')} (--limit)`] : []),
    ...(first ? [`Next  ${showing.typed} --diff ${first.id}`] : []),
  ]
  return `${lines.map(escapeControlChars).join('\n').replace(/\n\n+/g, '\n\n').trimEnd()}\n`
}

const DECISION_ORDER: readonly ReplayDecision[] = ['pass', 'allow', 'warn', 'ask', 'deny']
const decisionRank = (word: ReplayDecision): number => DECISION_ORDER.indexOf(word)
const emphasizeDecision = (word: ReplayDecision): string =>
  word === 'deny' || word === 'ask' ? word.toUpperCase() : word
export const pluralize = (n: number, noun: string): string => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
const stopCountText = (n: number): string => (n === 1 ? 'stopped once' : `stopped ${n.toLocaleString('en')} times`)

function headline({ tally, source }: ReplayResult): string {
  const { events, calls, sessions, same, differ, from, to } = tally
  const clients = [...tally.clients].map(([id, n]) => `${id} ${n.toLocaleString('en')}`).join(', ')
  const span = from === undefined || to === undefined ? '' : `, ${localDay(from)} to ${localDay(to)}`
  const where = source === 'audit-log' ? ' of the audit log' : ''
  const counted = `${pluralize(events, 'event')}${where}, ${pluralize(calls, 'call')}, ${pluralize(sessions, 'session')} (${clients})${span}`
  const gone =
    tally.void === 0
      ? ''
      : `, ${tally.void.toLocaleString('en')} ${tally.void === 1 ? 'follows' : 'follow'} from stopped calls`
  return `${counted}: ${same.toLocaleString('en')} same, ${differ.toLocaleString('en')} ${differ === 1 ? 'differs' : 'differ'}${gone}`
}

/** `5 newly DENY  tests-before-commit, rule-1  in 3 sessions`, followed by samples. */
function changeLines(change: DecisionChange, { nameOf, comparesPolicies }: ReplayViewOptions): readonly string[] {
  const { before, after, gate, rule, also, events, sessions, unsure, samples } = change
  const word =
    after === 'pass'
      ? `no longer ${emphasizeDecision(before)}`
      : `${comparesPolicies ? 'newly' : 'would'} ${emphasizeDecision(after)}`
  const was = before === 'pass' || after === 'pass' ? '' : ` (was ${emphasizeDecision(before)})`
  const by =
    gate === ''
      ? ''
      : `  ${[{ gate, rule }, ...also].map(decidingRule => `${nameOf(decidingRule.gate)}, ${decidingRule.rule}`).join(' and ')}`
  const rest = events - samples.length
  const doubt =
    unsure === 0
      ? ''
      : `, ${unsure === events ? '' : `${unsure.toLocaleString('en')} of them `}not certain (see Unknown)`
  return [
    `${events.toLocaleString('en').padStart(6)} ${word}${was}${by}  in ${pluralize(sessions, 'session')}${doubt}`,
    ...samples.map(
      ({ id, at, what, client, caller }) =>
        `       ${id}  ${localDay(at)} ${clockTime(at)}  ${client} ${caller}  ${what}`,
    ),
    ...(rest > 0 ? [`       and ${rest.toLocaleString('en')} more`] : []),
  ]
}

const CELL_WIDTH = 9
const COLUMN_HEADS = ['DENY', 'ASK', 'warn', 'observed']
const MIN_NAME_WIDTH = 8

/** In a narrow terminal, columns get narrower first, then names are truncated. */
function gateTable(
  { tally }: ReplayResult,
  { nameOf, width = Number.POSITIVE_INFINITY }: ReplayViewOptions,
): readonly string[] {
  const rows = [...tally.gates.values()].sort((a, b) => (a.gate < b.gate ? -1 : 1))
  if (rows.length === 0) return []
  const cells = rows.map(({ deny, ask, warn, would }) => [deny, ask, warn, would].map(n => n.toLocaleString('en')))
  const needed = COLUMN_HEADS.map((head, at) => 2 + Math.max(head.length, ...cells.map(row => row[at]?.length ?? 0)))
  const longest = Math.max(4, widestOf(rows.map(row => nameOf(row.gate))))
  const roomy = COLUMN_HEADS.map(() => CELL_WIDTH)
  const widths = longest + sumOf(roomy) <= width ? roomy : needed
  const name = Math.min(longest, Math.max(MIN_NAME_WIDTH, width - sumOf(widths)))
  const line = (head: string, numbers: readonly string[]) =>
    padTo(cutEnd(head, name), name) + numbers.map((cell, at) => cell.padStart(widths[at] ?? CELL_WIDTH)).join('')
  return ['', line('gate', COLUMN_HEADS), ...rows.map((row, at) => line(nameOf(row.gate), cells[at] ?? []))]
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

const gapLines = ({ tally }: ReplayResult): readonly string[] =>
  [...tally.gaps].sort(([a], [b]) => (a < b ? -1 : 1)).map(([gap, n]) => `Unknown  ${pluralize(n, 'event')}: ${gap}`)

function errorLines({ flaws, flawed }: ReplayResult, { label }: ReplayViewOptions): readonly string[] {
  if (flawed === 0) return []
  const shown = flaws.slice(0, 3).map(({ file, line, why }) => `${label(file)}:${line}: ${why}`)
  const more = flawed > shown.length ? [`and ${pluralize(flawed - shown.length, 'line')} more`] : []
  return [
    `Skipped  ${pluralize(flawed, 'line')} that cannot be parsed`,
    ...[...shown, ...more].map(line => `       ${line}`),
  ]
}

const clockTime = (at: number): string => localClock(at).slice(0, 5)

/** Output for programs. */
export function replayJson(replayed: ReplayResult, { title, notes, nameOf, ms }: ReplayViewOptions): string {
  const { tally, source, flaws, flawed, isCut } = replayed
  const { events, calls, sessions, same, differ, from, to, worst, stopped } = tally
  const counted = { events, calls, sessions, same, differ, afterStoppedCall: tally.void, sessionsStopped: stopped }
  const totals = {
    source,
    title,
    ...counted,
    ...(from !== undefined &&
      to !== undefined && { from: new Date(from).toISOString(), to: new Date(to).toISOString() }),
    clients: Object.fromEntries(tally.clients),
    changes: [...tally.changes.values()].map(change => ({ ...change, name: nameOf(change.gate) })),
    gates: [...tally.gates.values()].map(gate => ({ ...gate, name: nameOf(gate.gate) })),
    ...(worst && { worst }),
    unknownBecause: Object.fromEntries(tally.gaps),
    malformed: { lines: flawed, first: flaws },
    isCut,
    notes,
    ms,
  }
  return `${escapeControlCharsInJson(JSON.stringify(totals, null, 2))}\n`
}
