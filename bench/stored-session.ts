import { join } from 'node:path'
import { SqliteStore, verifyAuditLog } from '../src/store/index.ts'
import { type Ground, say } from './bench-project.ts'

const MS_A_CALL = 15_000
const CALLS_A_TURN = 12

/** Events of one session, judged inside of the store's transaction in a process that stays. */
export function openStored(ground: Ground) {
  const store = new SqliteStore(join(ground.folder, 'bench-state'), { stays: true })
  const key = { client: 'claude-code', session: 'bench' }
  const began = Date.now()
  let nth = 0
  const prompt = say('now the next one')
  const judge = (payload: string): string => {
    if (nth % CALLS_A_TURN === 0) step(prompt)
    return step(payload)
  }
  const step = (payload: string): string => {
    // an agent's call takes a while: it is not refused a thousand times in two minutes
    const now = began + nth * MS_A_CALL
    const identity = `event ${nth++}`
    return store.transact(key, { root: ground.folder, now, expiryHours: 12 }, ({ session, recall }) => {
      recall(identity)
      const { outcome, record, session: after } = ground.evaluate(payload, session, now)
      const reply = { exitCode: 0, stdout: outcome.reason, stderr: '' }
      const kept = { session: after, records: [{ ...record, ms: 0.1 }], answer: { identity, reply } }
      return { ...kept, result: outcome.decision }
    })
  }
  const end = (): void => {
    const verified = verifyAuditLog(join(ground.folder, 'bench-state'))
    store.close()
    ground.end()
    if (!verified?.ok || verified.records !== nth) throw new Error('the audit trail is not whole')
  }
  return { judge, end }
}
