import { Installed } from './installed.ts'
import { line, type Result, report } from './measure.ts'

const ROUNDS = 30

/** The first call of a day: nobody is there to answer. It starts the daemon, and has its answer at once. */
export async function benchCold(project: string): Promise<Result> {
  const there = new Installed(project)
  try {
    await there.daemon()
    const floor: number[] = []
    const first: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      there.stop()
      floor.push((await there.run(process.execPath, ['-e', '0'], '')).us)
      const { us, out } = await there.run(there.hook, there.hookArgs, there.payload('small', 'git commit -m x'))
      if (!out.includes('"deny"')) throw new Error('the commit should be refused')
      first.push(us)
      await there.daemon()
    }
    const sorted = (list: number[]) => list.sort((a, b) => a - b)
    const lines = [line('node -e 0 (floor)', sorted(floor)), line('the first call, no daemon', sorted(first))]
    const ratio = (lines[1]?.us ?? Infinity) / (lines[0]?.us ?? 1)
    return report('cold start to the first answer', lines, [
      { text: `${ratio.toFixed(2)} × node -e 0 ≤ 2.5 ×`, ok: ratio <= 2.5 },
    ])
  } finally {
    there.end()
  }
}
