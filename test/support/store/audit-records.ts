import { type AuditRecord, SqliteStore } from '../../../src/store/index.ts'
import { recordOf } from './records.ts'

/** Records as several events leave them, one transaction each. */
export function write(
  state: string,
  records: readonly Partial<AuditRecord>[],
  limits?: { days: number; bytes: number },
) {
  const store = new SqliteStore(state, limits && { limits })
  try {
    for (const more of records) {
      const record = recordOf(more)
      const key = { client: record.client, session: record.session }
      store.transact(key, { root: '/p', now: record.at, expiryHours: 12 }, () => ({ records: [record], result: 0 }))
    }
  } finally {
    store.close()
  }
}

export const denied = (gate: string, more: Partial<AuditRecord> = {}): Partial<AuditRecord> => ({
  decision: 'deny',
  gate: `project/${gate}`,
  rule: 'r',
  matches: [{ gate: `project/${gate}`, rule: 'r', decision: 'deny', effect: 'deny', mode: 'block' }],
  ...more,
})
