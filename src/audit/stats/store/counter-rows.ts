import type { SqlDriver, SqlStatement } from '../../../store/index.ts'
import { type Counters, parseCounters, serializeCounters } from '../counters.ts'
import { packSums } from '../read/sums.ts'

type RowKey = readonly (string | number)[]

/** The counters of one table during counting: each row is read once, on first use, and written once. */
export class CounterRows {
  private readonly known = new Map<string, { readonly key: RowKey; readonly counts: Counters }>()

  private readonly get: SqlStatement
  private readonly put: SqlStatement

  constructor(driver: SqlDriver, table: string, columns: readonly string[]) {
    const where = columns.map(column => `${column} = ?`).join(' AND ')
    this.get = driver.prepare(`SELECT json FROM ${table} WHERE ${where}`)
    this.put = driver.prepare(
      `INSERT OR REPLACE INTO ${table} VALUES (${[...columns, 'own', 'json'].map(() => '?').join(', ')})`,
    )
  }

  of(...key: RowKey): Counters {
    const name = key.join('\t')
    const found = this.known.get(name)
    if (found) return found.counts
    const row = this.get.get(...key)
    const counts: Counters = row ? parseCounters(row.json) : new Map()
    this.known.set(name, { key, counts })
    return counts
  }

  write(): void {
    for (const { key, counts } of this.known.values()) this.put.run(...key, packSums(counts), serializeCounters(counts))
  }
}
