import { call, POLICY, prepare } from './bench-project.ts'
import { interleaved, line, type Result, report } from './measure.ts'
import { openStored } from './stored-session.ts'

const BOUND_US = 100

/** What one event costs in a process that stays: evaluate inside of the store's transaction. */
export function benchStore(): Result {
  const ground = prepare(POLICY)
  const { judge, end } = openStored(ground)
  const commit = call('Bash', { command: 'git commit -am "fix sum"', description: 'commit' })
  const edit = call('Edit', { file_path: `${ground.folder}/src/a.ts`, old_string: 'a', new_string: 'b' })
  const works = [() => ground.evaluate(commit), () => judge(edit), () => judge(commit)]
  const [floor = [], edited = [], refused = []] = interleaved(works, { rounds: 12_000, batch: 1 })
  const lines = [
    line('git commit, evaluated alone (floor)', floor),
    line('an edit, passed, in a transaction', edited),
    line('git commit, refused, in a transaction', refused),
  ]
  end()
  const us = lines[2]?.us ?? Infinity
  return report('store: load, evaluate, save, record, remember the answer', lines, [
    { text: `one event: median ${us.toFixed(1)} µs ≤ ${BOUND_US} µs`, ok: us <= BOUND_US },
  ])
}
