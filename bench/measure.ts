/** Times in microseconds, sorted. */
export type Samples = readonly number[]

export const percentile = (samples: Samples, p: number): number =>
  samples[Math.min(samples.length - 1, Math.floor((samples.length * p) / 100))] ?? 0
export const median = (samples: Samples): number => percentile(samples, 50)

/** Several pieces of work taken in turns, so that a noisy moment hits all of them alike. */
export function interleaved(
  works: readonly (() => unknown)[],
  { rounds, batch }: { rounds: number; batch: number },
): readonly Samples[] {
  const samples = works.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      const began = process.hrtime.bigint()
      for (let nth = 0; nth < batch; nth++) work()
      samples[index]?.push(Number(process.hrtime.bigint() - began) / 1000 / batch)
    }
  }
  // the first third warms the engine up
  return samples.map(list => list.slice(Math.floor(rounds / 3)).sort((a, b) => a - b))
}

export interface Line {
  readonly name: string
  readonly us: number
  readonly p95: number
  readonly p99: number
}

export interface Result {
  readonly bench: string
  readonly lines: readonly Line[]
  /** what the target says, with the number measured */
  readonly targets: readonly { readonly text: string; readonly ok: boolean }[]
  readonly ok: boolean
}

export function report(bench: string, lines: readonly Line[], targets: Result['targets']): Result {
  const floor = lines[0]?.us ?? 1
  console.log(`\n${bench}`)
  for (const { name, us, p95, p99 } of lines) {
    const times = [us, p95, p99].map(one => time(one).padStart(9)).join(' ')
    console.log(`  ${name.padEnd(44)}${times} ${(us / floor).toFixed(2).padStart(8)} ×`)
  }
  for (const { text, ok } of targets) console.log(`  ${ok ? 'ok  ' : 'OVER'} ${text}`)
  return { bench, lines, targets, ok: targets.every(target => target.ok) }
}

const time = (us: number): string => (us >= 1000 ? `${(us / 1000).toFixed(2)} ms` : `${us.toFixed(2)} µs`)

export const line = (name: string, samples: Samples): Line => ({
  name,
  us: median(samples),
  p95: percentile(samples, 95),
  p99: percentile(samples, 99),
})
