import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, prepare } from './bench-project.ts'
import { interleaved, line, median, type Result, report } from './measure.ts'
import { openStored } from './stored-session.ts'

const BOUND_US = 150

/** The same with every built-in pack in force. */
export function benchPacks(project: string): Result {
  const packs = join(project, 'packs')
  const ids = readdirSync(packs, { withFileTypes: true }).flatMap(one => (one.isDirectory() ? one.name : []))
  const byDefault = readFileSync(join(packs, 'built-in.yaml'), 'utf8')
  const alone = prepare('gates: {}')
  const ground = prepare(`use: [${ids.filter(id => !byDefault.includes(id)).join(', ')}]`, packs)
  const { judge, end } = openStored(ground)
  const status = call('Bash', { command: 'git status --short', description: 'look' })
  const edit = call('Edit', { file_path: `${ground.folder}/src/a.ts`, old_string: 'a', new_string: 'b' })
  const fetch = call('WebFetch', { url: 'https://github.com/a/b/pull/1', prompt: 'what is it' })
  for (const one of [edit, fetch]) if (judge(one) !== 'deny') throw new Error('the packs should refuse it')
  const works = [() => alone.evaluate(status), () => judge(status), () => judge(edit), () => judge(fetch)]
  const [floor = [], ...rest] = interleaved(works, { rounds: 9000, batch: 1 })
  const names = ['git status, refused until routed', 'an edit, refused', 'a routed page, refused']
  const lines = [
    line('git status, no policy, no store (floor)', floor),
    ...names.map((name, nth) => line(name, rest[nth] ?? [])),
  ]
  end()
  alone.end()
  const us = median(rest.flat().sort((a, b) => a - b))
  return report(`packs: ${ids.length} packs on, store included`, lines, [
    { text: `a decision, all three: median ${us.toFixed(1)} µs ≤ ${BOUND_US} µs`, ok: us <= BOUND_US },
  ])
}
