import type { SqlDriver } from '../../../store/index.ts'
import { counterName, counterNameParts } from '../counters.ts'

/** Limits the labels of the totals. Later gates and clients are counted as `other` for good. */
const MAX_LABELS = { gates: 200, clients: 20 }
const SKIPPED_COUNTERS: ReadonlySet<string> = new Set(['at', 'rule', 'rule ms', 'gate ms'])
export const OTHER_LABEL = 'other'

type LabelKind = keyof typeof MAX_LABELS

/**
 * The gates and clients with their own label in the totals. Decided at first sight and kept: if the choice changed later (with the
 * policy, for example), a counter would decrease when a gate got its own label, and Prometheus would read that as a restart.
 */
export class TotalLabels {
  private readonly known: Readonly<Record<LabelKind, Set<string>>>
  private isChanged = false
  private readonly seen = new Map<string, string | undefined>()

  constructor(private readonly driver: SqlDriver) {
    const text = driver.prepare("SELECT value FROM meta WHERE name = 'labels'").get()?.value
    const { gates = [], clients = [] } = typeof text === 'string' ? JSON.parse(text) : {}
    this.known = { gates: new Set(gates), clients: new Set(clients) }
  }

  gate = (id: string): string => this.label('gates', id)
  client = (id: string): string => this.label('clients', id)

  /** The counter's name in the totals; undefined if the totals leave it out, because it is hourly or per rule. */
  bounded(name: string): string | undefined {
    if (!this.seen.has(name)) this.seen.set(name, this.labelled(name))
    return this.seen.get(name)
  }

  private labelled(name: string): string | undefined {
    const [kind = '', gate = '', ...rest] = counterNameParts(name)
    if (SKIPPED_COUNTERS.has(kind) || (kind === 'chars' && name !== 'chars')) return undefined
    const isOfGate = kind === 'gate' || kind === 'gate failed' || (kind === 'decided' && gate !== '')
    return isOfGate ? counterName(kind, this.gate(gate), ...rest) : name
  }

  write(): void {
    if (!this.isChanged) return
    const { gates, clients } = this.known
    const text = JSON.stringify({ gates: [...gates], clients: [...clients] })
    this.driver.prepare("INSERT OR REPLACE INTO meta VALUES ('labels', ?)").run(text)
  }

  private label(kind: LabelKind, id: string): string {
    const known = this.known[kind]
    if (known.has(id)) return id
    if (known.size >= MAX_LABELS[kind]) return OTHER_LABEL
    known.add(id)
    this.isChanged = true
    return id
  }
}
