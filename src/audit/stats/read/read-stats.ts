import type { SqlRow } from '../../../store/index.ts'
import { addCount, addCounts, type Counters, counterNameParts, eachCounter } from '../counters.ts'
import type { Period } from '../period.ts'
import { type ProjectScope, scopeClause, subprojectClause, sumsScopeClause } from '../scope.ts'
import { UNKNOWN_SESSION } from '../store/count-batch.ts'
import type { StatsDatabase } from '../store/stats-database.ts'
import { DAY_HOURS, dayOf, HOUR_MS } from '../time.ts'
import { STUCK_TRIES } from './stop.ts'
import { addPackedSums, type EventSums, emptySums, sumOfField, sumsOfCounters } from './sums.ts'

export interface StatsQuery extends Period {
  readonly project?: ProjectScope
  readonly client?: string | undefined
  readonly session?: string | undefined
  /** group the counters by client or session */
  readonly groupBy?: 'client' | 'session' | undefined
}

/** How the stops of one gate ended. */
export interface StopCounts {
  readonly all: number
  readonly fixed: number
  readonly bypassed: number
  readonly stuck: number
}

/** The stored numbers of a period. */
export interface StatsData {
  readonly counts: Counters
  readonly groups: ReadonlyMap<string, EventSums>
  /** calls and denied calls by hour (hours since 1970) */
  readonly hours: ReadonlyMap<number, HourlyCalls>
  readonly sessions: number
  readonly stops: ReadonlyMap<string, StopCounts>
}

export interface HourlyCalls {
  readonly calls: number
  readonly denied: number
}

/** Reads whole days from the day tables, and the remaining hours at both ends from `hours`. */
export function readStats(book: StatsDatabase, question: StatsQuery): StatsData {
  const { groupBy, session } = question
  const span = { from: question.from / HOUR_MS, to: question.to / HOUR_MS }
  const bySession = tablePartsFor(span, 'days')
  const tally = new RowTally(groupBy === 'client' ? row => String(row.client) : undefined)
  for (const row of rowsOf(book, session === undefined ? tablePartsFor(span, 'sums') : bySession, question))
    tally.add(row)
  return {
    ...tally.done(),
    groups: groupBy === 'session' ? sumsBySession(book, bySession, question) : tally.sums(),
    sessions: countSessions(book, bySession, question),
    stops: countStops(book, span, question),
  }
}

function tablePartsFor(span: Pick<TablePart, 'from' | 'to'>, table: 'days' | 'sums'): readonly TablePart[] {
  const first = Math.ceil(span.from / DAY_HOURS)
  const days = { from: first, to: Math.max(first, dayOf(span.to)) }
  const ends =
    days.from === days.to
      ? [span]
      : [
          { from: span.from, to: days.from * DAY_HOURS },
          { from: days.to * DAY_HOURS, to: span.to },
        ]
  return [{ table, unit: 'day', ...days }, ...ends.map(end => ({ table: 'hours', unit: 'hour', ...end }) as const)]
}

/** Reads only the packed sums, because there can be thousands of sessions. */
function sumsBySession(
  { driver }: StatsDatabase,
  parts: readonly TablePart[],
  question: StatsQuery,
): ReadonlyMap<string, EventSums> {
  const groups = new Map<string, EventSums>()
  for (const part of parts) {
    const rows = driver.prepare(`SELECT client, session, own ${fromClause(part, question)}`)
    for (const { client, session, own } of rows.all(...queryValuesOf(part, question))) {
      const name = session === UNKNOWN_SESSION ? `${client} (no session)` : `${client} ${session}`.trimEnd()
      addPackedSums(getOrCreate(groups, name, emptySums), own)
    }
  }
  return groups
}

interface TablePart {
  readonly table: 'hours' | 'days' | 'sums'
  readonly unit: 'hour' | 'day'
  readonly from: number
  readonly to: number
}

function filterClause({ project, client, session }: StatsQuery, table?: TablePart['table']) {
  const scope = table === 'sums' ? sumsScopeClause(project) : scopeClause(project)
  return {
    sql: `${scope.sql}${client === undefined ? '' : ' AND client = ?'}${session === undefined ? '' : ' AND session = ?'}`,
    values: [...scope.values, ...[client, session].flatMap(text => text ?? [])],
  }
}
const queryValuesOf = (part: TablePart, question: StatsQuery) => [
  part.from,
  part.to,
  ...filterClause(question, part.table).values,
]
const fromClause = ({ table, unit }: TablePart, question: StatsQuery) =>
  `FROM ${table} WHERE ${unit} >= ? AND ${unit} < ?${filterClause(question, table).sql}`

function* rowsOf({ driver }: StatsDatabase, parts: readonly TablePart[], question: StatsQuery): Generator<SqlRow> {
  for (const part of parts) {
    const day = part.unit === 'day' ? 'day' : `hour / ${DAY_HOURS}`
    yield* driver
      .prepare(`SELECT ${day} AS day, client, json ${fromClause(part, question)}`)
      .all(...queryValuesOf(part, question))
  }
}

function countSessions({ driver }: StatsDatabase, parts: readonly TablePart[], question: StatsQuery): number {
  const each = parts.map(part => `SELECT project, client, session ${fromClause(part, question)} AND session <> ?`)
  const row = driver
    .prepare(`SELECT count(*) AS n FROM (${each.join(' UNION ')})`)
    .get(...parts.flatMap(part => [...queryValuesOf(part, question), UNKNOWN_SESSION]))
  return Number(row?.n ?? 0)
}

function countStops(
  { driver }: StatsDatabase,
  span: Pick<TablePart, 'from' | 'to'>,
  question: StatsQuery,
): ReadonlyMap<string, StopCounts> {
  const rows = driver
    .prepare(
      `SELECT gate, count(*) AS n, sum(outcome = 'fixed') AS fixed, sum(outcome = 'bypassed') AS bypassed,
       sum(outcome IS NULL AND tries >= ${STUCK_TRIES}) AS stuck FROM stops WHERE hour >= ? AND hour < ?${filterClause(question).sql}
       GROUP BY gate`,
    )
    .all(span.from, span.to, ...filterClause(question).values)
  return new Map(
    rows.map(({ gate, n, fixed, bypassed, stuck }) => [
      String(gate),
      { all: Number(n), fixed: Number(fixed), bypassed: Number(bypassed), stuck: Number(stuck) },
    ]),
  )
}

/** Adds up rows of any of the tables. */
class RowTally {
  readonly counts: Counters = new Map()
  readonly groups = new Map<string, Counters>()
  readonly hours = new Map<number, { calls: number; denied: number }>()

  constructor(private readonly groupOf?: (row: SqlRow) => string) {}

  add(row: SqlRow): void {
    const { day, json } = row
    const counts = this.groupOf ? getOrCreate(this.groups, this.groupOf(row), (): Counters => new Map()) : this.counts
    eachCounter(json, (name, n) => {
      if (name.startsWith('at\t')) this.addBusy(Number(day) * DAY_HOURS, name, n)
      else addCount(counts, name, n)
    })
  }

  /** The overall counts; adds up the groups first. */
  done(): Pick<StatsData, 'counts' | 'hours'> {
    for (const counts of this.groups.values()) addCounts(this.counts, counts)
    return { counts: this.counts, hours: this.hours }
  }

  sums(): ReadonlyMap<string, EventSums> {
    return new Map([...this.groups].map(([group, counts]) => [group, sumsOfCounters(counts)]))
  }

  private addBusy(hour: number, name: string, n: number): void {
    const [, ofDay, what] = counterNameParts(name)
    const busy = getOrCreate(this.hours, hour + Number(ofDay), () => ({ calls: 0, denied: 0 }))
    if (what === 'denied') busy.denied += n
    else busy.calls += n
  }
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/** When each rule matched last, in any period, keyed by gate and rule. */
export function readLastFired({ driver }: StatsDatabase, { project }: StatsQuery): ReadonlyMap<string, number> {
  const { sql, values } = scopeClause(project)
  const rows = driver
    .prepare(`SELECT gate, rule, max(last) AS last FROM fired WHERE true${sql} GROUP BY gate, rule`)
    .all(...values)
  return new Map(rows.map(({ gate, rule, last }) => [`${gate}\t${rule}`, Number(last)]))
}

/** Start of the first counted hour, in a project or overall. */
export function firstCountedHour({ driver }: StatsDatabase, project: ProjectScope): number | undefined {
  const days = sumsScopeClause(project)
  const day = driver.prepare(`SELECT min(day) AS day FROM sums WHERE true${days.sql}`).get(...days.values)?.day
  if (day === null || day === undefined) return undefined
  const { sql, values } = scopeClause(project)
  const hour = driver
    .prepare(`SELECT min(hour) AS hour FROM hours WHERE hour >= ? AND hour < ?${sql}`)
    .get(Number(day) * DAY_HOURS, (Number(day) + 1) * DAY_HOURS, ...values)?.hour
  return Number(hour) * HOUR_MS
}

/** Events of a period whose project is unknown (such as those answered without the store), and how many of them have errors. */
export function countUnplacedEvents(
  { driver }: StatsDatabase,
  { from, to }: Period,
): { readonly events: number; readonly errors: number } {
  const sums = emptySums()
  for (const { table, unit, ...part } of tablePartsFor({ from: from / HOUR_MS, to: to / HOUR_MS }, 'days')) {
    const rows = driver.prepare(`SELECT own FROM ${table} WHERE ${unit} >= ? AND ${unit} < ? AND project = ''`)
    for (const { own } of rows.all(part.from, part.to)) addPackedSums(sums, own)
  }
  return { events: sumOfField(sums, 'invocations'), errors: sumOfField(sums, 'errors') }
}

/** Whether subfolders are projects of their own, whose policies are not considered here. */
export function hasSubprojects({ driver }: StatsDatabase, project: string): boolean {
  const { sql, values } = subprojectClause(project)
  return driver.prepare(`SELECT 1 AS one FROM fired WHERE ${sql} LIMIT 1`).get(...values) !== undefined
}
