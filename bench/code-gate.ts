import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Installed } from './installed.ts'
import { line, type Result, report } from './measure.ts'

const ROUNDS = { warm: 20, measured: 100 }
const CODE = "export default { judge: () => ({ decision: 'pass' }) }\n"

/** A call under a policy with a gate in code: through the daemon, and in a process of its own as without one. */
export async function benchCodeGate(project: string): Promise<Result> {
  const there = new Installed(project)
  const policy = 'gates:\n  mine: { code: ./mine.mjs }\n'
  try {
    writeFileSync(join(there.home, 'signalbox.yaml'), policy)
    writeFileSync(join(there.home, 'mine.mjs'), CODE)
    await there.daemon()
    const oneShot = [`${project}/bin/signalbox.cjs`, ...there.hookArgs]
    const works = [
      () => there.run(process.execPath, ['-e', '0'], ''),
      () => there.run(there.hook, there.hookArgs, there.payload('small', 'ls')),
      () => there.run(process.execPath, oneShot, there.payload('small', 'ls')),
    ]
    const samples = works.map((): number[] => [])
    for (let round = 0; round < ROUNDS.warm + ROUNDS.measured; round++)
      for (const [nth, work] of works.entries()) {
        const { us } = await work()
        if (round >= ROUNDS.warm) samples[nth]?.push(us)
      }
    const names = ['node -e 0 (floor)', 'hook, a gate in code, by the daemon', 'hook, a gate in code, one-shot']
    const sorted = samples.map(list => list.sort((a, b) => a - b))
    const lines = names.map((name, nth) => line(name, sorted[nth] ?? []))
    const ratio = (lines[1]?.us ?? Infinity) / (lines[0]?.us ?? 1)
    const answered = there.control('status').answered
    return report('a gate in code', lines, [
      { text: `by the daemon: ${ratio.toFixed(2)} × node -e 0 ≤ 0.5 ×`, ok: ratio <= 0.5 },
      { text: `${answered} calls were answered by the daemon`, ok: answered >= ROUNDS.warm + ROUNDS.measured },
    ])
  } finally {
    there.end()
  }
}
