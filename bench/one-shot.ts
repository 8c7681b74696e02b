import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { JsonObject } from '../src/lib/json.ts'
import { call, POLICY, prepare } from './bench-project.ts'
import { interleaved, line, type Result, report } from './measure.ts'

/** Node 20 has to load SQLite from a package. */
const BOUND = Number(process.versions.node.split('.')[0]) < 22 ? 2.2 : 1.6

/** The whole process, as a client starts it, against an empty Node process. */
export function benchOneShot(project: string): Result {
  const ground = prepare(POLICY)
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env
  const env = { ...rest, SIGNALBOX_HOME: ground.folder, CLAUDE_PROJECT_DIR: ground.folder }
  const node = (args: readonly string[], input: string) =>
    spawnSync(process.execPath, args, { env, input, encoding: 'utf8' })
  const hook = [join(project, 'bin/signalbox.cjs'), 'hook', '--client', 'claude-code']
  let nth = 0
  // an event of its own each time: a repeat would only be recalled
  const next = (tool: string, input: JsonObject) => call(tool, input).replace('toolu_0019main', `toolu_${nth++}`)
  const commit = () => next('Bash', { command: 'git commit -am "fix sum"' })
  const read = () => next('Read', { file_path: '/home/dev/proj/README.md' })
  if (!node(hook, commit()).stdout.includes('"deny"')) throw new Error('the commit should be refused')
  const works = [() => node(['-e', '0'], ''), () => node(hook, read()), () => node(hook, commit())]
  const [floor = [], passed = [], denied = []] = interleaved(works, { rounds: 60, batch: 1 })
  ground.end()
  const lines = [
    line('node -e 0 (floor)', floor),
    line('hook, a read passed', passed),
    line('hook, a commit refused', denied),
  ]
  const ratio = (lines[1]?.us ?? Infinity) / (lines[0]?.us ?? 1)
  return report('one-shot hook, one process a call', lines, [
    { text: `a read: ${ratio.toFixed(2)} × node -e 0 ≤ ${BOUND} ×`, ok: ratio <= BOUND },
  ])
}
