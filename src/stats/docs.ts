import type { Driver } from '../store/index.ts'
import { type Counts, restored, stored } from './counts.ts'

type Key = readonly (string | number)[]

/** The counters of one table while records are counted: each read once, when it is first needed, and written once. */
export class Docs {
  private readonly known = new Map<string, { readonly key: Key; readonly counts: Counts }>()

  constructor(
    private readonly driver: Driver,
    private readonly table: string,
    private readonly columns: readonly string[],
  ) {}

  of(...key: Key): Counts {
    const name = key.join('\t')
    const found = this.known.get(name)
    if (found) return found.counts
    const where = this.columns.map(column => `${column} = ?`).join(' AND ')
    const row = this.driver.prepare(`SELECT json FROM ${this.table} WHERE ${where}`).get(...key)
    const counts: Counts = row ? restored(row.json) : new Map()
    this.known.set(name, { key, counts })
    return counts
  }

  write(): void {
    const marks = [...this.columns, 'json'].map(() => '?').join(', ')
    const put = this.driver.prepare(`INSERT OR REPLACE INTO ${this.table} VALUES (${marks})`)
    for (const { key, counts } of this.known.values()) put.run(...key, stored(counts))
  }
}
