import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { line, type Result, report } from './measure.ts'
import { SIZED } from './sized-policies.ts'

const TIMES = 3

/** `signalbox check` on every agent, as CPU time of the whole process: it must prove the policy. */
export function benchProof(project: string): Result {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-proof-'))
  try {
    const lines = SIZED.map(([name, policy]) => {
      const samples = Array.from({ length: TIMES }, () => checked(project, folder, policy))
      return line(
        name,
        [...samples].sort((a, b) => a - b),
      )
    })
    const targets = SIZED.map(([name, , seconds], nth) => {
      const took = (lines[nth]?.us ?? Infinity) / 1e6
      return { text: `${name}: ${took.toFixed(2)} s of CPU ≤ ${seconds} s`, ok: took <= seconds }
    })
    return report('proof', lines, targets)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Microseconds of CPU that one check takes. */
function checked(project: string, folder: string, policy: string): number {
  const [root, home] = [join(folder, 'project'), join(folder, 'home')]
  for (const one of [root, home]) mkdirSync(one, { recursive: true })
  writeFileSync(join(root, 'signalbox.yaml'), policy)
  const env = { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: join(home, 'signalbox') }
  // the shell knows how long what it waited for was on a core
  const script = '"$0" "$1" check --here > "$2"; code=$?; times; exit $code'
  const args = ['-c', script, process.execPath, join(project, 'bin/signalbox.cjs'), join(folder, 'out.txt')]
  const { status, stdout } = spawnSync('bash', args, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`not proven: exit ${status}`)
  const ofChildren = stdout.trim().split('\n').at(-1) ?? ''
  return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1e6,
    0,
  )
}
