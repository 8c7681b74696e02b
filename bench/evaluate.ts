import { call, POLICY, prepare } from './bench-project.ts'
import { interleaved, line, type Result, report } from './measure.ts'

const BOUND_US = 25

/** From payload to outcome, shell parsing included, no store. */
export function benchEvaluate(): Result {
  const ground = prepare(POLICY)
  const commit = call('Bash', { command: 'git commit -am "fix sum"', description: 'commit' })
  const long = call('Bash', { command: 'cd app && npm run lint 2>&1 | tee out.log && git commit -am "x $(date +%F)"' })
  const edit = call('Edit', { file_path: '/home/dev/proj/src/a.ts', old_string: 'a', new_string: 'b' })
  const works = [
    () => JSON.parse(commit),
    () => ground.judge(commit),
    () => ground.judge(long),
    () => ground.judge(edit),
  ]
  if (ground.judge(commit).decision !== 'deny') throw new Error('the commit should be refused')
  const [floor = [], denied = [], compound = [], edited = []] = interleaved(works, { rounds: 900, batch: 20 })
  ground.end()
  const lines = [
    line('JSON.parse of the payload (floor)', floor),
    line('git commit, refused', denied),
    line('a compound line, refused', compound),
    line('an edit, passed', edited),
  ]
  const [, simple] = lines
  return report('evaluate, incl. decoding and shell parsing, no store', lines, [
    {
      text: `git commit: median ${simple?.us.toFixed(1)} µs ≤ ${BOUND_US} µs`,
      ok: (simple?.us ?? Infinity) <= BOUND_US,
    },
  ])
}
