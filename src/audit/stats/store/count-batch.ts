import type { AuditRecord, SqlDriver } from '../../../store/index.ts'
import { approvedRulesOf, countRecord } from '../count-record.ts'
import { addCount, addCounts, type Counters, counterName, counterNameParts } from '../counters.ts'
import { dayOf, hourOf } from '../time.ts'
import { CounterRows } from './counter-rows.ts'
import { OpenStops } from './open-stops.ts'
import { TotalLabels } from './total-labels.ts'

/** Project value for the sum of all projects. */
export const ALL_PROJECTS = ''
/** Session value for payloads that could not be decoded. No session id contains a tab. */
export const UNKNOWN_SESSION = '\t'

const countedSessionOf = ({ session, policy }: AuditRecord): string =>
  session === '' && policy === '' ? UNKNOWN_SESSION : session.replaceAll(UNKNOWN_SESSION, ' ')

interface CounterLocation {
  readonly hour: number
  readonly project: string
  readonly client: string
  readonly session: string
}

/** Adds the counters of some records to the database. Runs inside a transaction. */
export class CountBatch {
  private readonly hours: CounterRows
  private readonly days: CounterRows
  private readonly sums: CounterRows
  private readonly totals: CounterRows
  private readonly stops: OpenStops
  private readonly labels: TotalLabels
  private readonly fired = new Map<string, { first: number; last: number }>()

  constructor(private readonly driver: SqlDriver) {
    this.hours = new CounterRows(driver, 'hours', ['hour', 'project', 'client', 'session'])
    this.days = new CounterRows(driver, 'days', ['day', 'project', 'client', 'session'])
    this.sums = new CounterRows(driver, 'sums', ['day', 'project', 'client'])
    this.totals = new CounterRows(driver, 'totals', ['client'])
    this.stops = new OpenStops(driver)
    this.labels = new TotalLabels(driver)
  }

  add(record: AuditRecord): void {
    const counts = countRecord(record)
    if (counts.size === 0) return
    const { at, client, root: project = '', matches } = record
    const totals = this.put({ hour: hourOf(at), project, client, session: countedSessionOf(record) }, counts)
    // Stops are also counted in the totals, which retention never removes.
    const { begun, ended } = this.stops.follow(record)
    for (const { gate } of begun) addCount(totals, counterName('stop', this.labels.gate(gate)))
    for (const { gate, outcome = '' } of ended) addCount(totals, counterName('stop', this.labels.gate(gate), outcome))
    for (const { gate, rule } of [...matches, ...approvedRulesOf(record)])
      this.saw(counterName(project, gate, rule), at)
  }

  /** Adds counters of one hour to all tables. Returns the totals of the client. */
  put({ hour, project, client, session }: CounterLocation, counts: Counters): Counters {
    const day = dayOf(hour)
    addCounts(this.hours.of(hour, project, client, session), counts)
    addCounts(this.days.of(day, project, client, session), counts)
    addCounts(this.sums.of(day, ALL_PROJECTS, client), counts)
    if (project !== ALL_PROJECTS) addCounts(this.sums.of(day, project, client), counts)
    const totals = this.totals.of(this.labels.client(client))
    for (const [name, n] of counts) {
      const label = this.labels.bounded(name)
      if (label !== undefined) addCount(totals, label, n)
    }
    return totals
  }

  /** Adds a stop from another database to the totals. */
  putStop(client: string, gate: string, outcome: string | undefined): void {
    const totals = this.totals.of(this.labels.client(client))
    addCount(totals, counterName('stop', this.labels.gate(gate)))
    if (outcome !== undefined) addCount(totals, counterName('stop', this.labels.gate(gate), outcome))
  }

  write(): void {
    for (const docs of [this.hours, this.days, this.sums, this.totals]) docs.write()
    this.stops.write()
    this.labels.write()
    const fired = this.driver.prepare(
      'INSERT INTO fired VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)',
    )
    for (const [name, { first, last }] of this.fired) {
      const [project = '', gate = '', rule = ''] = counterNameParts(name)
      fired.run(project, gate, rule, first, last)
    }
  }

  private saw(name: string, at: number): void {
    const found = this.fired.get(name)
    if (!found) this.fired.set(name, { first: at, last: at })
    else if (at > found.last) found.last = at
    else if (at < found.first) found.first = at
  }
}
