import type { Driver, Statement } from '../store/index.ts'
import { type Counts, restored, stored } from './counts.ts'
import { packed } from './sums.ts'

type Key = readonly (string | number)[]

/** The counters of one table while records are counted: each read once, when it is first needed, and written once. */
export class Docs {
  private readonly known = new Map<string, { readonly key: Key; readonly counts: Counts }>()

  private readonly get: Statement
  private readonly put: Statement

  constructor(driver: Driver, table: string, columns: readonly string[]) {
    const where = columns.map(column => `${column} = ?`).join(' AND ')
    this.get = driver.prepare(`SELECT json FROM ${table} WHERE ${where}`)
    this.put = driver.prepare(
      `INSERT OR REPLACE INTO ${table} VALUES (${[...columns, 'own', 'json'].map(() => '?').join(', ')})`,
    )
  }

  of(...key: Key): Counts {
    const name = key.join('\t')
    const found = this.known.get(name)
    if (found) return found.counts
    const row = this.get.get(...key)
    const counts: Counts = row ? restored(row.json) : new Map()
    this.known.set(name, { key, counts })
    return counts
  }

  write(): void {
    for (const { key, counts } of this.known.values()) this.put.run(...key, packed(counts), stored(counts))
  }
}
