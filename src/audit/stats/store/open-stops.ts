import type { AuditRecord, SqlDriver, SqlStatement } from '../../../store/index.ts'
import { type GateStop, updateStops } from '../read/stop.ts'
import { hourOf } from '../time.ts'

/** `id`: row id, if it is already stored */
type StoredStop = GateStop & { readonly id?: number }

interface SessionStops {
  readonly key: readonly [project: string, client: string, session: string]
  stops: readonly StoredStop[]
}

/** Open stops during counting. The stops of a session are read when its first record comes. */
export class OpenStops {
  private readonly sessions = new Map<string, SessionStops>()
  /** stops as read: a stop that is still the same object has not changed */
  private readonly read = new Set<StoredStop>()

  private readonly open: SqlStatement

  constructor(private readonly driver: SqlDriver) {
    this.open = driver.prepare(
      'SELECT * FROM stops WHERE project = ? AND client = ? AND session = ? AND outcome IS NULL ORDER BY id',
    )
  }

  /** The stops that begin and end with this record. */
  follow(record: AuditRecord): { readonly begun: readonly GateStop[]; readonly ended: readonly GateStop[] } {
    const session = this.session(record)
    const before = session.stops
    const after: readonly StoredStop[] = updateStops(before, record)
    session.stops = after
    if (after === before) return NO_STOPS
    return {
      begun: after.slice(before.length),
      ended: after.filter((stop, nth) => stop.outcome !== undefined && before[nth]?.outcome === undefined),
    }
  }

  write(): void {
    const make = this.driver.prepare('INSERT INTO stops VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    const change = this.driver.prepare('UPDATE stops SET last = ?, what = ?, tries = ?, outcome = ? WHERE id = ?')
    for (const { key, stops } of this.sessions.values())
      for (const stop of stops) {
        const { id, at, last, gate, rule, what, tries, outcome = null } = stop
        if (id === undefined) make.run(hourOf(at), ...key, gate, rule, at, last, what.join(' '), tries, outcome)
        else if (!this.read.has(stop)) change.run(last, what.join(' '), tries, outcome, id)
      }
  }

  private session({ root: project = '', client, session }: AuditRecord): SessionStops {
    const name = `${project}\t${client}\t${session}`
    const known = this.sessions.get(name)
    if (known) return known
    const stops = this.open.all(project, client, session).map(
      (row): StoredStop => ({
        id: Number(row.id),
        gate: String(row.gate),
        rule: String(row.rule),
        at: Number(row.at),
        last: Number(row.last),
        what: String(row.what).split(' '),
        tries: Number(row.tries),
      }),
    )
    for (const stop of stops) this.read.add(stop)
    const made: SessionStops = { key: [project, client, session], stops }
    this.sessions.set(name, made)
    return made
  }
}

const NO_STOPS = { begun: [], ended: [] }
