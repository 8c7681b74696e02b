import type { GateRow } from './gates.ts'
import { idle, MOST_NAMED } from './idle.ts'
import type { RuleRow } from './rules.ts'
import { type Bars, spark } from './spark.ts'
import type { Summary } from './summary.ts'
import { table } from './table.ts'
import { amount, many, ms, percent, share, span } from './words.ts'

export interface Showing {
  /** of the window; Infinity where there is none */
  readonly width: number
  readonly bars: Bars
  readonly now: number
  /** `Last 7d in proj`: when, and where */
  readonly title: string
  /** of one agent or session only: what it did not meet may be busy elsewhere */
  readonly part?: 'client' | 'session'
  /** something is on record elsewhere */
  readonly hasMore?: boolean
}

const MOST_ROWS = 20
const WIDEST_CHART = 56

/** For a person: what it comes to first, what to do last. */
export function show(summary: Summary, showing: Showing): string {
  const { totals, by } = summary
  if (totals.invocations === 0) return nothing(summary, showing)
  const sections = [
    [headline(summary, showing), ...chart(summary, showing), ...sums(summary)],
    by === 'gate' ? gates(summary, showing) : [],
    by === 'rule' || by === 'route' ? rules(summary, showing) : [],
    by === 'client' || by === 'session' ? groups(summary, showing) : [],
    trial(summary, showing),
    [
      ...idle(summary, showing),
      ...overridden(summary),
      ...notes(summary),
      ...reading(summary),
      `Next  ${next(summary)}`,
    ],
  ]
  const text = sections.filter(lines => lines.length > 0).map(lines => lines.join('\n'))
  return `${text.join('\n\n')}\n`
}

/** No tables of nothing, and no rule is idle where nobody was. */
function nothing(summary: Summary, { title, part, hasMore, now }: Showing): string {
  const { since, period } = summary
  // when an agent or a session began is not known here
  const isBefore = !part && since !== null && since < period.from
  const lines = [`${title}: nothing happened${isBefore ? `; the first event was ${span(now - since)} ago` : ''}`]
  const other = since === null && hasMore ? 'signalbox stats --everywhere' : 'signalbox status'
  const next = part ? `signalbox stats --by ${part} --everywhere` : isBefore ? 'signalbox stats --since 400d' : other
  return `${[...lines, ...notes(summary)].join('\n')}\nNext  ${next}\n`
}

/** Brag about fixed, not blocked. */
function headline({ totals, gates: rows, sessions }: Summary, { title }: Showing): string {
  const sum = (of: (row: GateRow) => number) => rows.reduce((all, row) => all + of(row), 0)
  const fired = sum(row => row.fired)
  const fixed =
    fired === 0 ? 'no agent was stopped' : `agents fixed ${amount(sum(row => row.fixed))} of ${many(fired, 'stop')}`
  return `${title}: ${many(totals.calls, 'call')} in ${many(sessions, 'session')}, ${fixed}`
}

function chart({ series, totals }: Summary, { width, bars }: Showing): readonly string[] {
  if (totals.calls === 0) return []
  const room = Math.min(WIDEST_CHART, width - 16)
  const line = (head: string, values: readonly number[]) =>
    `  ${head.padEnd(8)}|${spark(values, room, bars)}|${head === 'calls' ? ` by ${series.step}` : ''}`
  return [line('calls', series.calls), ...(totals.denied > 0 ? [line('refused', series.denied)] : [])]
}

function sums({ totals, counted }: Summary): readonly string[] {
  const { denied, asked, blockRate, ...rest } = totals
  const { bypassed, whitelisted, errors, invocations, latencyMs, denialTokens } = rest
  const { p50, p95, p99 } = latencyMs
  const said = [
    `${amount(denied)} refused${blockRate === null ? '' : ` (${percent(blockRate)})`}`,
    `${amount(asked)} asked`,
    `${amount(bypassed)} bypassed`,
    `${amount(whitelisted)} whitelisted`,
    errorsIn(errors, counted.unplacedErrors),
  ]
  return [
    `  answers   ${said.join(', ')}`,
    ...bypasses(rest),
    `  latency   p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)} over ${many(invocations, 'event')}`,
    ...(denialTokens > 0 ? [`  refusals  cost about ${many(denialTokens, 'token')} (a guess by their length)`] : []),
  ]
}

/** All ways past a gate. */
function bypasses({ bypassUsage, bypassed, approvedByToken, approvedByVariable }: Ways): readonly string[] {
  const ways = `${amount(bypassed)} bypassed, ${amount(approvedByToken)} approved by a token, ${amount(approvedByVariable)} by a variable`
  return bypassUsage === 0 ? [] : [`  bypasses  ${amount(bypassUsage)}: ${ways}`]
}
type Ways = Pick<Summary['totals'], 'bypassUsage' | 'bypassed' | 'approvedByToken' | 'approvedByVariable'>

/** What failed for nobody knows which project may have failed here. */
function errorsIn(here: number, stray: number): string {
  if (stray === 0) return here === 0 ? 'no error' : many(here, 'ERROR')
  return `${many(here + stray, 'ERROR')} (${here === 0 ? '' : `${amount(stray)} `}of no known project)`
}

function gates({ gates: rows, dead, project }: Summary, { width, now, part }: Showing): readonly string[] {
  if (rows.length === 0) return []
  const columns = [
    { head: 'gate' },
    { head: 'fired' },
    { head: 'agent fixed' },
    { head: 'bypassed', goes: 2 },
    { head: 'stuck' },
    { head: 'left', goes: 3 },
    { head: 'errors', goes: 4 },
    { head: 'p95', goes: 1 },
  ]
  const order = [...rows].sort((a, b) => b.fired - a.fired || b.latencyMs.count - a.latencyMs.count)
  const cells = order.slice(0, MOST_ROWS).map(row => {
    const { name, mode, gone, fired, fixed, bypassed, stuck, left, errors, latencyMs } = row
    const isSilent = latencyMs.count === 0
    const isIdle = isSilent && mode !== null && project !== null && !part
    const last = isIdle ? silence(row, dead, now) : ms(latencyMs.p95)
    const head = gone ? `${name} (gone)` : mode === null || mode === 'block' ? name : `${name} (${mode})`
    if (fired === 0) return [head, '0', '-', '-', '-', '-', amount(errors), last]
    return [head, amount(fired), share(fixed, fired), ...[bypassed, stuck, left, errors].map(amount), last]
  })
  return [...table(columns, cells, width), ...more(rows.length)]
}

const silence = ({ gate }: GateRow, dead: readonly RuleRow[], now: number): string => {
  const last = Math.max(...dead.filter(one => one.gate === gate).map(one => one.lastAt ?? 0), 0)
  return last === 0 ? 'idle' : `idle ${span(now - last)}`
}

const more = (n: number): readonly string[] => (n > MOST_ROWS ? [`and ${n - MOST_ROWS} more: --json has them all`] : [])

function rules({ rules: rows, by }: Summary, { width, now, part }: Showing): readonly string[] {
  const columns = [
    { head: by },
    { head: 'fired' },
    { head: 'decided', goes: 1 },
    { head: 'overruled', goes: 5 },
    { head: 'bypassed', goes: 3 },
    { head: 'watched', goes: 4 },
    { head: 'tokens', goes: 6 },
    { head: 'p95', goes: 2 },
  ]
  if (rows.length === 0) return [`no ${by} here`]
  const cells = [...rows]
    .sort((a, b) => b.fired - a.fired)
    .slice(0, MOST_ROWS)
    .map(
      ({ name, rule, gone, fired, decided, overruled, bypassed, watched, warned, denialTokens, latencyMs, lastAt }) => [
        `${name} ${rule}${gone ? ' (gone)' : ''}`,
        ...[fired, decided, overruled, bypassed, watched + warned, denialTokens].map(amount),
        fired > 0 || part ? ms(latencyMs.p95) : lastAt === null ? 'idle' : `idle ${span(now - lastAt)}`,
      ],
    )
  return [...table(columns, cells, width), ...more(rows.length)]
}

function groups({ groups: rows, by }: Summary, { width }: Showing): readonly string[] {
  const columns = [
    { head: by },
    { head: 'calls' },
    { head: 'refused' },
    { head: 'rate', goes: 2 },
    { head: 'asked', goes: 4 },
    { head: 'bypassed', goes: 5 },
    { head: 'errors', goes: 3 },
    { head: 'p95', goes: 1 },
  ]
  const cells = rows
    .slice(0, MOST_ROWS)
    .map(({ group, calls, denied, blockRate, asked, bypassed, errors, latencyMs }) => [
      group.trimEnd(),
      ...[calls, denied].map(amount),
      blockRate === null ? '-' : percent(blockRate),
      ...[asked, bypassed, errors].map(amount),
      ms(latencyMs.p95),
    ])
  return rows.length === 0 ? [] : [...table(columns, cells, width), ...more(rows.length)]
}

/** What gates on trial would have done: the numbers to decide on. */
function trial({ gates: rows }: Summary, { width }: Showing): readonly string[] {
  const found = rows.filter(row => row.mode !== 'block' && row.wouldDeny + row.wouldAsk > 0)
  if (found.length === 0) return []
  const columns = [
    { head: 'on trial' },
    { head: 'mode', side: 'left' as const, goes: 1 },
    { head: 'would DENY' },
    { head: 'would ASK' },
  ]
  const cells = found.map(({ name, mode, gone, wouldDeny, wouldAsk }) => [
    name,
    mode ?? (gone ? 'gone' : '-'),
    amount(wouldDeny),
    amount(wouldAsk),
  ])
  return table(columns, cells, width)
}

const overridden = ({ overridden: rows }: Summary): readonly string[] =>
  rows.slice(0, MOST_NAMED).map(({ name, rule, fired, bypassed }) => {
    const how = bypassed === fired ? 'bypassed' : bypassed === 0 ? 'overruled' : 'bypassed or overruled'
    return `Vain    ${name} ${rule} spoke ${fired === 1 ? 'once' : `${amount(fired)} times`}, ${how} each time`
  })

const notes = ({ counted: { missed, unreadable, unplaced } }: Summary): readonly string[] => [
  ...(unplaced > 0 ? [`Note    ${many(unplaced, 'event')} of no known project: --everywhere has them too`] : []),
  ...(missed > 0 ? [`Note    ${many(missed, 'record')} had been removed before anybody counted`] : []),
  ...(unreadable > 0 ? [`Note    ${many(unreadable, 'record')} cannot be read: signalbox audit verify`] : []),
]

const GOOD = 0.8

/** What to make of it, in a line. */
function reading({ gates: rows, dead }: Summary): readonly string[] {
  const names = (list: readonly string[]) => [...new Set(list)].slice(0, 3).join(', ')
  const works = rows.filter(row => row.fired > 0 && row.fixed / row.fired >= GOOD).map(row => row.name)
  const stuck = rows.filter(row => row.stuck > 0).map(row => row.name)
  const idle = dead.filter(({ gate }) => rows.every(row => row.gate !== gate || row.latencyMs.count === 0))
  const said = [
    ...(works.length > 0 ? [`${names(works)} ${works.length === 1 ? 'works' : 'work'}`] : []),
    ...(stuck.length > 0 ? [`agents get stuck at ${names(stuck)}`] : []),
    ...(idle.length > 0 ? [`test or drop ${names(idle.map(one => one.name))}`] : []),
  ]
  return said.length > 0 ? [`Read    ${said.join('; ')}`] : []
}

function next({ gates: rows, dead }: Summary): string {
  const ready = rows.find(row => row.mode !== 'block' && row.mode !== null && row.wouldDeny > 0)
  if (rows.some(row => row.stuck > 0)) return 'signalbox explain --last'
  if (ready) return `signalbox replay --gate ${ready.name} --mode block`
  return dead.length > 0 ? 'signalbox stats --by rule' : 'signalbox status'
}
