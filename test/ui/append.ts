import type { AuditRecord } from '../../src/store/index.ts'
import { past } from '../support/store/past-records.ts'
import type { Stage } from './stage.ts'

/** Many calls at once, through the real store. */
export function append({ sandbox }: Stage, many: number, of: (nth: number) => Partial<AuditRecord>): void {
  const { project } = sandbox
  const [, call] = past({ records: 2, from: Date.now(), days: 0.001 })
  if (!call) throw new Error('no record')
  const own = { event: 'tool.before', name: 'PreToolUse', client: 'claude-code', root: project } as const
  const records = Array.from({ length: many }, (_, nth) => ({ ...call, ...own, at: Date.now(), ...of(nth) }))
  const around = { root: project, now: Date.now(), expiryHours: 1 }
  sandbox.store(store => store.transact({ client: 'past', session: '' }, around, () => ({ records, result: 0 })))
}
