import { join } from 'node:path'
import { SqliteStore } from '../src/store/index.ts'
import { call, POLICY, prepare } from './ground.ts'
import { interleaved, line, type Result, report } from './measure.ts'

const BOUND_US = 100

/** What one event costs in a process that stays: evaluate inside of the store's transaction. */
export function benchStore(): Result {
  const ground = prepare(POLICY)
  const store = new SqliteStore(join(ground.folder, 'bench-state'), { stays: true })
  const key = { client: 'claude-code', session: 'bench' }
  const circumstances = { root: ground.folder, now: Date.now(), expiryHours: 12 }
  const commit = call('Bash', { command: 'git commit -am "fix sum"', description: 'commit' })
  const edit = call('Edit', { file_path: `${ground.folder}/src/a.ts`, old_string: 'a', new_string: 'b' })
  let nth = 0
  const stored = (payload: string) => () =>
    store.transact(key, circumstances, ({ session, recall }) => {
      const identity = `event ${nth++}`
      recall(identity)
      // no agent is refused ten thousand times in one turn
      const { outcome, record, session: after } = ground.evaluate(payload, { ...session, waiting: [] })
      const reply = { exitCode: 0, stdout: outcome.reason, stderr: '' }
      return { session: after, records: [{ ...record, ms: 0.1 }], answer: { identity, reply }, result: 0 }
    })
  const works = [() => ground.evaluate(commit), stored(edit), stored(commit)]
  const [floor = [], edited = [], refused = []] = interleaved(works, { rounds: 4000, batch: 1 })
  const lines = [
    line('git commit, evaluated alone (floor)', floor),
    line('an edit, passed, in a transaction', edited),
    line('git commit, refused, in a transaction', refused),
  ]
  const { ok } = store.verify()
  store.close()
  ground.end()
  if (!ok) throw new Error('the audit trail is not whole')
  const us = lines[2]?.us ?? Infinity
  return report('store: load, evaluate, save, record, remember the answer', lines, [
    { text: `one event: median ${us.toFixed(1)} µs ≤ ${BOUND_US} µs`, ok: us <= BOUND_US },
  ])
}
