import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { SqliteStore, verifyAuditLog } from '../src/store/index.ts'
import { call, POLICY, prepare } from './bench-project.ts'
import { type Line, percentile, type Result, report } from './measure.ts'

const CALLS = 96

/** Hooks of one session at the same time, one process each. Every one of them is counted in the database afterwards. */
export async function benchConcurrency(project: string): Promise<Result> {
  const ground = prepare(POLICY)
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env
  const env = { ...rest, SIGNALBOX_HOME: ground.folder, CLAUDE_PROJECT_DIR: ground.folder }
  const args = [join(project, 'bin/signalbox.cjs'), 'hook', '--client', 'claude-code']
  let nth = 0
  const hook = (): Promise<void> =>
    new Promise((done, fail) => {
      const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] })
      child.on('error', fail)
      child.on('close', code => (code === 0 ? done() : fail(new Error(`exit ${code}`))))
      child.stdin.end(call('Bash', { command: 'ls' }).replace('toolu_0019main', `toolu_${nth++}`))
    })
  const lines: Line[] = []
  for (const width of [1, 4, 16]) {
    const times: number[] = []
    const began = performance.now()
    const worker = async () => {
      for (let left = CALLS / width; left > 0; left--) {
        const start = performance.now()
        await hook()
        times.push((performance.now() - start) * 1000)
      }
    }
    await Promise.all(Array.from({ length: width }, worker))
    const each = ((performance.now() - began) * 1000) / CALLS
    const rate = Math.round(1e6 / each)
    times.sort((a, b) => a - b)
    lines.push({
      name: `${width} at once: ${rate} calls a second`,
      us: each,
      p95: percentile(times, 95),
      p99: percentile(times, 99),
    })
  }
  const store = new SqliteStore(join(ground.folder, 'state'))
  const counted = store.records({ last: 10_000 }).length
  const whole = verifyAuditLog(join(ground.folder, 'state'))?.ok === true
  store.close()
  ground.end()
  return report('one-shot processes at once: time for each call, p95 of one', lines, [
    { text: `${counted} of ${nth} calls are in the audit trail, and it is whole`, ok: counted === nth && whole },
  ])
}
