import type { AuditRecord, Driver } from '../store/index.ts'
import { count } from './count.ts'
import { add, addAll, type Counts, nameOf, partsOf } from './counts.ts'
import { Docs } from './docs.ts'
import { Followed } from './followed.ts'
import { Labels } from './labels.ts'
import { dayOf, hourOf } from './time.ts'

/** In place of a project: all of them. */
export const ALL = ''
/** In place of a session: what came was not read, so nobody knows whose it was. No id has a tab in it. */
export const NOBODY = '\t'

const sessionOf = ({ session, policy }: AuditRecord): string =>
  session === '' && policy === '' ? NOBODY : session.replaceAll(NOBODY, ' ')

interface Place {
  readonly hour: number
  readonly project: string
  readonly client: string
  readonly session: string
}

/** Some records, counted into the book. Inside a transaction. */
export class Page {
  private readonly hours: Docs
  private readonly days: Docs
  private readonly sums: Docs
  private readonly totals: Docs
  private readonly stops: Followed
  private readonly labels: Labels
  private readonly fired = new Map<string, { first: number; last: number }>()

  constructor(private readonly driver: Driver) {
    this.hours = new Docs(driver, 'hours', ['hour', 'project', 'client', 'session'])
    this.days = new Docs(driver, 'days', ['day', 'project', 'client', 'session'])
    this.sums = new Docs(driver, 'sums', ['day', 'project', 'client'])
    this.totals = new Docs(driver, 'totals', ['client'])
    this.stops = new Followed(driver)
    this.labels = new Labels(driver)
  }

  add(record: AuditRecord): void {
    const counts = count(record)
    if (counts.size === 0) return
    const { at, client, root: project = '', matches } = record
    const totals = this.put({ hour: hourOf(at), project, client, session: sessionOf(record) }, counts)
    // in the totals too: those are never taken away
    const { begun, ended } = this.stops.follow(record)
    for (const { gate } of begun) add(totals, nameOf('stop', this.labels.gate(gate)))
    for (const { gate, outcome = '' } of ended) add(totals, nameOf('stop', this.labels.gate(gate), outcome))
    for (const { gate, rule } of matches) this.saw(nameOf(project, gate, rule), at)
  }

  /** Counters of one hour, wherever they belong. Gives the totals of their client. */
  put({ hour, project, client, session }: Place, counts: Counts): Counts {
    const day = dayOf(hour)
    addAll(this.hours.of(hour, project, client, session), counts)
    addAll(this.days.of(day, project, client, session), counts)
    addAll(this.sums.of(day, ALL, client), counts)
    if (project !== ALL) addAll(this.sums.of(day, project, client), counts)
    const totals = this.totals.of(this.labels.client(client))
    for (const [name, n] of counts) {
      const label = this.labels.bounded(name)
      if (label !== undefined) add(totals, label, n)
    }
    return totals
  }

  /** A stop that was counted elsewhere. */
  putStop(client: string, gate: string, outcome: string | undefined): void {
    const totals = this.totals.of(this.labels.client(client))
    add(totals, nameOf('stop', this.labels.gate(gate)))
    if (outcome !== undefined) add(totals, nameOf('stop', this.labels.gate(gate), outcome))
  }

  write(): void {
    for (const docs of [this.hours, this.days, this.sums, this.totals]) docs.write()
    this.stops.write()
    this.labels.write()
    const fired = this.driver.prepare(
      'INSERT INTO fired VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)',
    )
    for (const [name, { first, last }] of this.fired) {
      const [project = '', gate = '', rule = ''] = partsOf(name)
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
