import { join } from 'node:path'
import { SqliteStore } from '../src/store/index.ts'
import type { Ground } from './ground.ts'

/** Events of one session, judged inside of the store's transaction in a process that stays. */
export function openStored(ground: Ground) {
  const store = new SqliteStore(join(ground.folder, 'bench-state'), { stays: true })
  const key = { client: 'claude-code', session: 'bench' }
  const circumstances = { root: ground.folder, now: Date.now(), expiryHours: 12 }
  let nth = 0
  const judge = (payload: string): string =>
    store.transact(key, circumstances, ({ session, recall }) => {
      const identity = `event ${nth++}`
      recall(identity)
      // no agent is refused ten thousand times in one turn
      const { outcome, record, session: after } = ground.evaluate(payload, { ...session, waiting: [] })
      const reply = { exitCode: 0, stdout: outcome.reason, stderr: '' }
      const kept = { session: after, records: [{ ...record, ms: 0.1 }], answer: { identity, reply } }
      return { ...kept, result: outcome.decision }
    })
  const end = (): void => {
    const { ok, records } = store.verify()
    store.close()
    ground.end()
    if (!ok || records !== nth) throw new Error('the audit trail is not whole')
  }
  return { judge, end }
}
