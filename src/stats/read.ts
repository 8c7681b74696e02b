import type { Row } from '../store/index.ts'
import type { Book } from './book.ts'
import { add, addAll, type Counts, eachOf, partsOf } from './counts.ts'
import { NOBODY } from './page.ts'
import type { Period } from './period.ts'
import { inScope, inSumsScope, isBelow, type Scope } from './scope.ts'
import { STUCK_TRIES } from './stop.ts'
import { addPacked, inSums, noSums, type Sums, sumsOf } from './sums.ts'
import { DAY_HOURS, dayOf, HOUR_MS } from './time.ts'

export interface Question extends Period {
  readonly project?: Scope
  readonly client?: string | undefined
  readonly session?: string | undefined
  /** whose counters are told apart */
  readonly apart?: 'client' | 'session' | undefined
}

/** How the stops at one gate ended. */
export interface Stops {
  readonly all: number
  readonly fixed: number
  readonly bypassed: number
  readonly stuck: number
}

/** What the book says of a period. */
export interface Found {
  readonly counts: Counts
  readonly groups: ReadonlyMap<string, Sums>
  /** calls and refused calls by hour, as hours since 1970 */
  readonly hours: ReadonlyMap<number, Busy>
  readonly sessions: number
  readonly stops: ReadonlyMap<string, Stops>
}

export interface Busy {
  readonly calls: number
  readonly denied: number
}

/** Whole days are read as such, and what is left at both ends by the hour. */
export function read(book: Book, question: Question): Found {
  const { apart, session } = question
  const span = { from: question.from / HOUR_MS, to: question.to / HOUR_MS }
  const bySession = partsFor(span, 'days')
  const tally = new Tally(apart === 'client' ? row => String(row.client) : undefined)
  for (const row of rowsOf(book, session === undefined ? partsFor(span, 'sums') : bySession, question)) tally.add(row)
  return {
    ...tally.done(),
    groups: apart === 'session' ? sessionsApart(book, bySession, question) : tally.sums(),
    sessions: sessionsIn(book, bySession, question),
    stops: stopsIn(book, span, question),
  }
}

function partsFor(span: Pick<Part, 'from' | 'to'>, table: 'days' | 'sums'): readonly Part[] {
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

/** Of sessions only what is told of each: there may be thousands. */
function sessionsApart({ driver }: Book, parts: readonly Part[], question: Question): ReadonlyMap<string, Sums> {
  const groups = new Map<string, Sums>()
  for (const part of parts) {
    const rows = driver.prepare(`SELECT client, session, own ${within(part, question)}`)
    for (const { client, session, own } of rows.all(...valuesOf(part, question))) {
      const name = session === NOBODY ? `${client} (no session)` : `${client} ${session}`.trimEnd()
      addPacked(entry(groups, name, noSums), own)
    }
  }
  return groups
}

interface Part {
  readonly table: 'hours' | 'days' | 'sums'
  readonly unit: 'hour' | 'day'
  readonly from: number
  readonly to: number
}

function only({ project, client, session }: Question, table?: Part['table']) {
  const scope = table === 'sums' ? inSumsScope(project) : inScope(project)
  return {
    sql: `${scope.sql}${client === undefined ? '' : ' AND client = ?'}${session === undefined ? '' : ' AND session = ?'}`,
    values: [...scope.values, ...[client, session].flatMap(one => one ?? [])],
  }
}
const valuesOf = (part: Part, question: Question) => [part.from, part.to, ...only(question, part.table).values]
const within = ({ table, unit }: Part, question: Question) =>
  `FROM ${table} WHERE ${unit} >= ? AND ${unit} < ?${only(question, table).sql}`

function* rowsOf({ driver }: Book, parts: readonly Part[], question: Question): Generator<Row> {
  for (const part of parts) {
    const day = part.unit === 'day' ? 'day' : `hour / ${DAY_HOURS}`
    yield* driver
      .prepare(`SELECT ${day} AS day, client, json ${within(part, question)}`)
      .all(...valuesOf(part, question))
  }
}

function sessionsIn({ driver }: Book, parts: readonly Part[], question: Question): number {
  const each = parts.map(part => `SELECT project, client, session ${within(part, question)} AND session <> ?`)
  const row = driver
    .prepare(`SELECT count(*) AS n FROM (${each.join(' UNION ')})`)
    .get(...parts.flatMap(part => [...valuesOf(part, question), NOBODY]))
  return Number(row?.n ?? 0)
}

function stopsIn({ driver }: Book, span: Pick<Part, 'from' | 'to'>, question: Question): ReadonlyMap<string, Stops> {
  const rows = driver
    .prepare(
      `SELECT gate, count(*) AS n, sum(outcome = 'fixed') AS fixed, sum(outcome = 'bypassed') AS bypassed,
       sum(outcome IS NULL AND tries >= ${STUCK_TRIES}) AS stuck FROM stops WHERE hour >= ? AND hour < ?${only(question).sql}
       GROUP BY gate`,
    )
    .all(span.from, span.to, ...only(question).values)
  return new Map(
    rows.map(({ gate, n, fixed, bypassed, stuck }) => [
      String(gate),
      { all: Number(n), fixed: Number(fixed), bypassed: Number(bypassed), stuck: Number(stuck) },
    ]),
  )
}

/** Rows of whichever table, added up. */
class Tally {
  readonly counts: Counts = new Map()
  readonly groups = new Map<string, Counts>()
  readonly hours = new Map<number, { calls: number; denied: number }>()

  constructor(private readonly groupOf?: (row: Row) => string) {}

  add(row: Row): void {
    const { day, json } = row
    const counts = this.groupOf ? entry(this.groups, this.groupOf(row), (): Counts => new Map()) : this.counts
    eachOf(json, (name, n) => {
      if (name.startsWith('at\t')) this.addBusy(Number(day) * DAY_HOURS, name, n)
      else add(counts, name, n)
    })
  }

  /** Groups are added up when all is in them. */
  done(): Pick<Found, 'counts' | 'hours'> {
    for (const counts of this.groups.values()) addAll(this.counts, counts)
    return { counts: this.counts, hours: this.hours }
  }

  sums(): ReadonlyMap<string, Sums> {
    return new Map([...this.groups].map(([group, counts]) => [group, sumsOf(counts)]))
  }

  private addBusy(hour: number, name: string, n: number): void {
    const [, ofDay, what] = partsOf(name)
    const busy = entry(this.hours, hour + Number(ofDay), () => ({ calls: 0, denied: 0 }))
    if (what === 'denied') busy.denied += n
    else busy.calls += n
  }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/** When a rule spoke last, whenever that was. By gate and rule. */
export function lastFired({ driver }: Book, { project }: Question): ReadonlyMap<string, number> {
  const { sql, values } = inScope(project)
  const rows = driver
    .prepare(`SELECT gate, rule, max(last) AS last FROM fired WHERE true${sql} GROUP BY gate, rule`)
    .all(...values)
  return new Map(rows.map(({ gate, rule, last }) => [`${gate}\t${rule}`, Number(last)]))
}

/** Since when there is anything to count, in a project or at all. */
export function firstHour({ driver }: Book, project: Scope): number | undefined {
  const days = inSumsScope(project)
  const day = driver.prepare(`SELECT min(day) AS day FROM sums WHERE true${days.sql}`).get(...days.values)?.day
  if (day === null || day === undefined) return undefined
  const { sql, values } = inScope(project)
  const hour = driver
    .prepare(`SELECT min(hour) AS hour FROM hours WHERE hour >= ? AND hour < ?${sql}`)
    .get(Number(day) * DAY_HOURS, (Number(day) + 1) * DAY_HOURS, ...values)?.hour
  return Number(hour) * HOUR_MS
}

/** Events of a period that nobody knows the project of, and how many of them failed: such as were answered without the store. */
export function unplaced({ driver }: Book, { from, to }: Period): { readonly events: number; readonly errors: number } {
  const sums = noSums()
  for (const { table, unit, ...part } of partsFor({ from: from / HOUR_MS, to: to / HOUR_MS }, 'days')) {
    const rows = driver.prepare(`SELECT own FROM ${table} WHERE ${unit} >= ? AND ${unit} < ? AND project = ''`)
    for (const { own } of rows.all(part.from, part.to)) addPacked(sums, own)
  }
  return { events: inSums(sums, 'invocations'), errors: inSums(sums, 'errors') }
}

/** Has it parts that are projects of their own, with policies that are not looked at here? */
export function hasParts({ driver }: Book, project: string): boolean {
  const { sql, values } = isBelow(project)
  return driver.prepare(`SELECT 1 AS one FROM fired WHERE ${sql} LIMIT 1`).get(...values) !== undefined
}
