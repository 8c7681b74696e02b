import type { Row } from '../store/index.ts'
import type { Book } from './book.ts'
import { add, addAll, type Counts, eachOf, partsOf } from './counts.ts'
import type { Period } from './period.ts'
import { STUCK_TRIES } from './stop.ts'
import { DAY_HOURS, dayOf, HOUR_MS } from './time.ts'

export interface Question extends Period {
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
  readonly groups: ReadonlyMap<string, Counts>
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
  const first = Math.ceil(span.from / DAY_HOURS)
  const days = { from: first, to: Math.max(first, dayOf(span.to)) }
  const ends =
    days.from === days.to
      ? [span]
      : [
          { from: span.from, to: days.from * DAY_HOURS },
          { from: days.to * DAY_HOURS, to: span.to },
        ]
  const hours = ends.map(end => ({ table: 'hours' as const, unit: 'hour' as const, ...end }))
  const bySession: readonly Part[] = [{ table: 'days', unit: 'day', ...days }, ...hours]
  const byClient: readonly Part[] = [{ table: 'sums', unit: 'day', ...days }, ...hours]
  const tally = new Tally(apart === 'client' ? row => String(row.client) : undefined)
  for (const row of rowsOf(book, session === undefined ? byClient : bySession, question)) tally.add(row)
  const groups = apart === 'session' ? new Tally(row => `${row.client} ${row.session}`, isOfSession) : tally
  if (groups !== tally) for (const row of rowsOf(book, bySession, question)) groups.add(row)
  const sessions = sessionsIn(book, bySession, question)
  return { ...tally.done(), groups: groups.groups, sessions, stops: stopsIn(book, span, question) }
}

/** What is told of one session; there may be thousands. */
const isOfSession = (name: string): boolean => !/^(at|gate|gate ms|rule|rule ms|decided|chars)\t/.test(name)

interface Part {
  readonly table: 'hours' | 'days' | 'sums'
  readonly unit: 'hour' | 'day'
  readonly from: number
  readonly to: number
}

const only = ({ client, session }: Question): string =>
  `${client === undefined ? '' : ' AND client = ?'}${session === undefined ? '' : ' AND session = ?'}`
const valuesOf = ({ from, to }: Pick<Part, 'from' | 'to'>, { client, session }: Question) => [
  ...[from, to],
  ...[client, session].flatMap(one => one ?? []),
]
const within = ({ table, unit }: Part, question: Question) =>
  `FROM ${table} WHERE ${unit} >= ? AND ${unit} < ?${only(question)}`

function* rowsOf({ driver }: Book, parts: readonly Part[], question: Question): Generator<Row> {
  for (const part of parts) {
    const day = part.unit === 'day' ? 'day' : `hour / ${DAY_HOURS}`
    const session = part.table === 'sums' ? "''" : 'session'
    yield* driver
      .prepare(`SELECT ${day} AS day, client, ${session} AS session, json ${within(part, question)}`)
      .all(...valuesOf(part, question))
  }
}

function sessionsIn({ driver }: Book, parts: readonly Part[], question: Question): number {
  const each = parts.map(part => `SELECT client, session ${within(part, question)}`)
  const row = driver
    .prepare(`SELECT count(*) AS n FROM (${each.join(' UNION ')})`)
    .get(...parts.flatMap(part => valuesOf(part, question)))
  return Number(row?.n ?? 0)
}

function stopsIn({ driver }: Book, span: Pick<Part, 'from' | 'to'>, question: Question): ReadonlyMap<string, Stops> {
  const rows = driver
    .prepare(
      `SELECT gate, count(*) AS n, sum(outcome = 'fixed') AS fixed, sum(outcome = 'bypassed') AS bypassed,
       sum(outcome IS NULL AND tries >= ${STUCK_TRIES}) AS stuck FROM stops WHERE hour >= ? AND hour < ?${only(question)}
       GROUP BY gate`,
    )
    .all(...valuesOf(span, question))
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

  constructor(
    private readonly groupOf?: (row: Row) => string,
    private readonly isWanted: (name: string) => boolean = () => true,
  ) {}

  add(row: Row): void {
    const { day, json } = row
    const counts = this.groupOf ? entry(this.groups, this.groupOf(row), (): Counts => new Map()) : this.counts
    eachOf(json, (name, n) => {
      if (!this.isWanted(name)) return
      if (name.startsWith('at\t')) this.addBusy(Number(day) * DAY_HOURS, name, n)
      else add(counts, name, n)
    })
  }

  /** Groups are added up when all is in them. */
  done(): Pick<Found, 'counts' | 'hours'> {
    for (const counts of this.groups.values()) addAll(this.counts, counts)
    return { counts: this.counts, hours: this.hours }
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
export function lastFired({ driver }: Book): ReadonlyMap<string, number> {
  const rows = driver.prepare('SELECT gate, rule, last FROM fired').all()
  return new Map(rows.map(({ gate, rule, last }) => [`${gate}\t${rule}`, Number(last)]))
}

/** Since when there is anything to count. */
export function firstHour({ driver }: Book): number | undefined {
  const hour = driver.prepare('SELECT min(hour) AS hour FROM hours').get()?.hour
  return hour === null || hour === undefined ? undefined : Number(hour) * HOUR_MS
}
