import type { GateRow } from '../read/gate-rows.ts'
import type { RuleRow } from '../read/rule-rows.ts'
import type { StatsSummary } from '../summary.ts'
import {
  formatCount,
  formatInLargestUnit,
  formatMs,
  formatNumber,
  formatPercent,
  formatShare,
} from './number-format.ts'
import { MAX_RULES_SHOWN, silentRuleLines } from './silent-rules.ts'
import { type BarStyle, renderSparkline } from './sparkline.ts'
import { renderTable } from './table.ts'

export interface StatsDisplay {
  /** terminal width; Infinity if the output is not a terminal */
  readonly width: number
  readonly bars: BarStyle
  readonly now: number
  /** `Last 7d in proj`: period and project */
  readonly title: string
  /** limited to one client or session: rules without matches here may match elsewhere */
  readonly part?: 'client' | 'session'
  /** other projects have records */
  readonly hasMore?: boolean
}

const MAX_ROWS = 20
const MAX_CHART_WIDTH = 56

/** Output for people: totals first, next steps last. */
export function renderStats(summary: StatsSummary, showing: StatsDisplay): string {
  const { totals, by } = summary
  if (totals.invocations === 0) return emptyStatsText(summary, showing)
  const sections = [
    [headline(summary, showing), ...chartLines(summary, showing), ...totalLines(summary)],
    by === 'gate' ? gateTable(summary, showing) : [],
    by === 'rule' || by === 'route' ? ruleTable(summary, showing) : [],
    by === 'client' || by === 'session' ? groupTable(summary, showing) : [],
    trialTable(summary, showing),
    [
      ...silentRuleLines(summary, showing),
      ...overriddenLines(summary),
      ...noteLines(summary),
      ...interpretationLines(summary),
      `Next  ${nextCommand(summary)}`,
    ],
  ]
  const text = sections.filter(lines => lines.length > 0).map(lines => lines.join('\n'))
  return `${text.join('\n\n')}\n`
}

/** Output for a period without events: no tables, and no rules reported as idle. */
function emptyStatsText(summary: StatsSummary, { title, part, hasMore, now }: StatsDisplay): string {
  const { since, period } = summary
  // The first event of a single client or session is not known here.
  const isBefore = !part && since !== null && since < period.from
  const lines = [
    `${title}: no events${isBefore ? `; the first event was ${formatInLargestUnit(now - since)} ago` : ''}`,
  ]
  const other = since === null && hasMore ? 'signalbox stats --everywhere' : 'signalbox status'
  const next = part ? `signalbox stats --by ${part} --everywhere` : isBefore ? 'signalbox stats --since 400d' : other
  return `${[...lines, ...noteLines(summary)].join('\n')}\nNext  ${next}\n`
}

/** The headline counts stops that agents fixed, not calls that were blocked. */
function headline({ totals, gates: rows, sessions }: StatsSummary, { title }: StatsDisplay): string {
  const sum = (of: (row: GateRow) => number) => rows.reduce((all, row) => all + of(row), 0)
  const fired = sum(row => row.fired)
  const fixed =
    fired === 0
      ? 'no agent was stopped'
      : `agents fixed ${formatNumber(sum(row => row.fixed))} of ${formatCount(fired, 'stop')}`
  return `${title}: ${formatCount(totals.calls, 'call')} in ${formatCount(sessions, 'session')}, ${fixed}`
}

function chartLines({ series, totals }: StatsSummary, { width, bars }: StatsDisplay): readonly string[] {
  if (totals.calls === 0) return []
  const room = Math.min(MAX_CHART_WIDTH, width - 16)
  const line = (head: string, values: readonly number[]) =>
    `  ${head.padEnd(8)}|${renderSparkline(values, room, bars)}|${head === 'calls' ? ` by ${series.step}` : ''}`
  return [line('calls', series.calls), ...(totals.denied > 0 ? [line('denied', series.denied)] : [])]
}

function totalLines({ totals, counted }: StatsSummary): readonly string[] {
  const { denied, asked, blockRate, ...rest } = totals
  const { bypassed, whitelisted, errors, invocations, latencyMs, denialTokens } = rest
  const { p50, p95, p99 } = latencyMs
  const parts = [
    `${formatNumber(denied)} denied${blockRate === null ? '' : ` (${formatPercent(blockRate)})`}`,
    `${formatNumber(asked)} asked`,
    `${formatNumber(bypassed)} bypassed`,
    `${formatNumber(whitelisted)} whitelisted`,
    errorsText(errors, counted.errorsWithoutProject),
  ]
  return [
    `  decisions ${parts.join(', ')}`,
    ...bypassLines(rest),
    `  latency   p50 ${formatMs(p50)}, p95 ${formatMs(p95)}, p99 ${formatMs(p99)} over ${formatCount(invocations, 'event')}`,
    ...(denialTokens > 0
      ? [`  denials   cost about ${formatCount(denialTokens, 'token')} (estimated from their length)`]
      : []),
  ]
}

/** Events that got past a gate, by kind. */
function bypassLines({ bypassUsage, bypassed, approvedByToken, approvedByVariable }: BypassCounts): readonly string[] {
  const ways = `${formatNumber(bypassed)} bypassed, ${formatNumber(approvedByToken)} approved by a token, ${formatNumber(approvedByVariable)} by a variable`
  return bypassUsage === 0 ? [] : [`  bypasses  ${formatNumber(bypassUsage)}: ${ways}`]
}
type BypassCounts = Pick<StatsSummary['totals'], 'bypassUsage' | 'bypassed' | 'approvedByToken' | 'approvedByVariable'>

/** Includes errors of unknown projects, which may belong to this project. */
function errorsText(here: number, stray: number): string {
  if (stray === 0) return here === 0 ? 'no errors' : formatCount(here, 'ERROR')
  return `${formatCount(here + stray, 'ERROR')} (${here === 0 ? '' : `${formatNumber(stray)} `}of unknown projects)`
}

function gateTable(
  { gates: rows, unmatched, project }: StatsSummary,
  { width, now, part }: StatsDisplay,
): readonly string[] {
  if (rows.length === 0) return []
  const columns = [
    { head: 'gate' },
    { head: 'fired' },
    { head: 'agent fixed' },
    { head: 'bypassed', dropOrder: 2 },
    { head: 'stuck' },
    { head: 'other', dropOrder: 3 },
    { head: 'errors', dropOrder: 4 },
    { head: 'p95', dropOrder: 1 },
  ]
  const order = [...rows].sort((a, b) => b.fired - a.fired || b.latencyMs.count - a.latencyMs.count)
  const cells = order.slice(0, MAX_ROWS).map(row => {
    const { name, mode, isRemoved: gone, fired, fixed, bypassed, stuck, other: left, errors, latencyMs } = row
    const isSilent = latencyMs.count === 0
    const isIdle =
      isSilent && mode !== null && project !== null && !part && unmatched.some(({ gate }) => gate === row.gate)
    const last = isIdle ? silenceText(row, unmatched, now) : formatMs(latencyMs.p95)
    const head = gone ? `${name} (removed)` : mode === null || mode === 'block' ? name : `${name} (${mode})`
    if (fired === 0) return [head, '0', '-', '-', '-', '-', formatNumber(errors), last]
    return [
      head,
      formatNumber(fired),
      formatShare(fixed, fired),
      ...[bypassed, stuck, left, errors].map(formatNumber),
      last,
    ]
  })
  return [...renderTable(columns, cells, width), ...moreRowsText(rows.length)]
}

const silenceText = ({ gate }: GateRow, unmatched: readonly RuleRow[], now: number): string => {
  const last = Math.max(...unmatched.filter(row => row.gate === gate).map(row => row.lastAt ?? 0), 0)
  return last === 0 ? 'idle' : `idle ${formatInLargestUnit(now - last)}`
}

const moreRowsText = (n: number): readonly string[] =>
  n > MAX_ROWS ? [`and ${n - MAX_ROWS} more: --json has them all`] : []

function ruleTable({ rules: rows, by }: StatsSummary, { width, now, part }: StatsDisplay): readonly string[] {
  const columns = [
    { head: by },
    { head: 'fired' },
    { head: 'decided', dropOrder: 1 },
    { head: 'overridden', dropOrder: 5 },
    { head: 'bypassed', dropOrder: 3 },
    { head: 'observed', dropOrder: 4 },
    { head: 'tokens', dropOrder: 6 },
    { head: 'p95', dropOrder: 2 },
  ]
  if (rows.length === 0) return [`no ${by} matched`]
  const cells = [...rows]
    .sort((a, b) => b.fired - a.fired)
    .slice(0, MAX_ROWS)
    .map(
      ({
        name,
        rule,
        isRemoved,
        fired,
        approved,
        decided,
        overridden,
        bypassed,
        observed,
        warned,
        denialTokens,
        latencyMs,
        lastAt,
      }) => [
        `${name} ${rule}${isRemoved ? ' (removed)' : ''}`,
        ...[fired, decided, overridden, bypassed, observed + warned, denialTokens].map(formatNumber),
        fired > 0 || approved > 0 || part
          ? formatMs(latencyMs.p95)
          : lastAt === null
            ? 'idle'
            : `idle ${formatInLargestUnit(now - lastAt)}`,
      ],
    )
  return [...renderTable(columns, cells, width), ...moreRowsText(rows.length)]
}

function groupTable({ groups: rows, by }: StatsSummary, { width }: StatsDisplay): readonly string[] {
  const columns = [
    { head: by },
    { head: 'calls' },
    { head: 'denied' },
    { head: 'rate', dropOrder: 2 },
    { head: 'asked', dropOrder: 4 },
    { head: 'bypassed', dropOrder: 5 },
    { head: 'errors', dropOrder: 3 },
    { head: 'p95', dropOrder: 1 },
  ]
  const cells = rows
    .slice(0, MAX_ROWS)
    .map(({ group, calls, denied, blockRate, asked, bypassed, errors, latencyMs }) => [
      group.trimEnd(),
      ...[calls, denied].map(formatNumber),
      blockRate === null ? '-' : formatPercent(blockRate),
      ...[asked, bypassed, errors].map(formatNumber),
      formatMs(latencyMs.p95),
    ])
  return rows.length === 0 ? [] : [...renderTable(columns, cells, width), ...moreRowsText(rows.length)]
}

/** What gates in mode `warn` or `observe` would have done: helps to decide whether to block. */
function trialTable({ gates: rows }: StatsSummary, { width }: StatsDisplay): readonly string[] {
  const found = rows.filter(row => row.mode !== 'block' && row.wouldDeny + row.wouldAsk > 0)
  if (found.length === 0) return []
  const columns = [
    { head: 'not blocking' },
    { head: 'mode', side: 'left' as const, dropOrder: 1 },
    { head: 'would DENY' },
    { head: 'would ASK' },
  ]
  const cells = found.map(({ name, mode, isRemoved: gone, wouldDeny, wouldAsk }) => [
    name,
    mode ?? (gone ? 'removed' : '-'),
    formatNumber(wouldDeny),
    formatNumber(wouldAsk),
  ])
  return renderTable(columns, cells, width)
}

const overriddenLines = ({ overridden: rows }: StatsSummary): readonly string[] =>
  rows.slice(0, MAX_RULES_SHOWN).map(({ name, rule, fired, bypassed }) => {
    const how = bypassed === fired ? 'bypassed' : bypassed === 0 ? 'overridden' : 'bypassed or overridden'
    return `No effect  ${name} ${rule} matched ${fired === 1 ? 'once' : `${formatNumber(fired)} times`}, ${how} each time`
  })

const noteLines = ({
  counted: { removedRecords: missed, unreadableRecords: unreadable, eventsWithoutProject },
}: StatsSummary): readonly string[] => [
  ...(eventsWithoutProject > 0
    ? [`Note  ${formatCount(eventsWithoutProject, 'event')} of unknown projects not included: use --everywhere`]
    : []),
  ...(missed > 0 ? [`Note  ${formatCount(missed, 'record')} removed before counting`] : []),
  ...(unreadable > 0 ? [`Note  ${formatCount(unreadable, 'record')} cannot be read: signalbox audit verify`] : []),
]

const GOOD_FIX_RATE = 0.8

/** The interpretation, on one line. */
function interpretationLines({ gates: rows, unmatched }: StatsSummary): readonly string[] {
  const names = (list: readonly string[]) => [...new Set(list)].slice(0, 3).join(', ')
  // a gate that the policy no longer has does nothing
  const active = rows.filter(row => !row.isRemoved)
  const works = active.filter(row => row.fired > 0 && row.fixed / row.fired >= GOOD_FIX_RATE).map(row => row.name)
  const stuck = active.filter(row => row.stuck > 0).map(row => row.name)
  const idle = unmatched.filter(({ gate }) => rows.every(row => row.gate !== gate || row.latencyMs.count === 0))
  const parts = [
    ...(works.length > 0 ? [`${names(works)} ${works.length === 1 ? 'works' : 'work'}`] : []),
    ...(stuck.length > 0 ? [`agents get stuck at ${names(stuck)}`] : []),
    ...(idle.length > 0 ? [`test ${names(idle.map(row => row.name))}`] : []),
  ]
  return parts.length > 0 ? [`Summary  ${parts.join('; ')}`] : []
}

function nextCommand({ gates: rows, unmatched }: StatsSummary): string {
  const ready = rows.find(row => row.mode !== 'block' && row.mode !== null && row.wouldDeny > 0)
  if (rows.some(row => row.stuck > 0 && !row.isRemoved)) return 'signalbox explain --last'
  if (ready) return `signalbox replay --gate ${ready.name} --mode block`
  return unmatched.length > 0 ? 'signalbox stats --by rule' : 'signalbox status'
}
