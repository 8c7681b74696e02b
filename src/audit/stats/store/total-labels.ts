import type { SqlDriver } from '../../../store/index.ts'
import { counterName, counterNameParts } from '../counters.ts'

/** So many of each have a name of their own in the totals; who comes later is one of the others, and stays that. */
const MAX_LABELS = { gates: 200, clients: 20 }
const SKIPPED_COUNTERS: ReadonlySet<string> = new Set(['at', 'rule', 'rule ms', 'gate ms'])
export const OTHER_LABEL = 'other'

type LabelKind = keyof typeof MAX_LABELS

/**
 * Which gates and clients the totals tell apart. Decided when one is first seen, and kept: if it were decided anew at every look (by the policy in
 * force, say), a counter would go down when a gate got a name, and whoever reads it would take that for a restart.
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

  /** A counter as the totals have it; undefined: they do not have it, since it is of one hour, or one of thousands of rules. */
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
