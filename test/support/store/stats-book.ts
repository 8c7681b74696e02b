import { parseCounters } from '../../../src/audit/stats/counters.ts'
import { rollUpRecords } from '../../../src/audit/stats/index.ts'
import { StatsDatabase } from '../../../src/audit/stats/store/stats-database.ts'
import { AuditLogReader, type AuditRecord, SqliteStore } from '../../../src/store/index.ts'
import { type Ground, NOW } from './records.ts'

export const HOUR = 3_600_000
/** The beginning of an hour. */
export const THEN = Math.floor(NOW / HOUR) * HOUR

type Options = ConstructorParameters<typeof SqliteStore>[1]

/** Put on record by the store itself, some at a time. */
export function put(
  state: string,
  records: readonly AuditRecord[],
  { each = 500, ...options }: Options & { each?: number } = {},
) {
  const store = new SqliteStore(state, options)
  for (let from = 0; from < records.length; from += each) {
    const some = records.slice(from, from + each)
    const now = some.at(-1)?.at ?? NOW
    store.transact({ client: 'any', session: '' }, { root: '', now, expiryHours: 1 }, () => ({
      records: some,
      result: 0,
    }))
  }
  store.close()
}

export function countAll(state: string, book: StatsDatabase, most = 1000): number {
  const trail = AuditLogReader.open(state)
  if (!trail) return 0
  let all = 0
  try {
    for (;;) {
      const { counted, isDone } = rollUpRecords(trail, book, { most, now: THEN })
      all += counted
      if (isDone) return all
    }
  } finally {
    trail.close()
  }
}

/** Everything in it, whatever order it came in; `stops` have numbers of their own. */
export function contentOf({ driver }: StatsDatabase, tables = ['hours', 'days', 'sums', 'totals', 'stops', 'fired']) {
  const sorted = (json: unknown) => {
    const entries = [...parseCounters(json)]
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return Object.fromEntries(
    tables.map(table => {
      const rows = driver.prepare(`SELECT * FROM ${table}`).all()
      const plain = rows.map(({ id: _, json, ...row }) => ({
        ...row,
        ...(json !== undefined && { json: sorted(json) }),
      }))
      return [table, plain.map(row => JSON.stringify(row)).sort()]
    }),
  )
}

export function withBook<T>(ground: Ground, work: (book: StatsDatabase) => T): T {
  const book = StatsDatabase.open(ground.state)
  try {
    return work(book)
  } finally {
    book.close()
  }
}
