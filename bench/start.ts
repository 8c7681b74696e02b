import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Installed } from './installed.ts'
import { line, type Result, report } from './measure.ts'

const ROUNDS = 30
const MEGABYTE = 1024 * 1024

/** What starting costs: the command line, the daemon, and the memory of a daemon that has answered one event. */
export async function benchStart(project: string): Promise<Result> {
  const there = new Installed(project)
  try {
    const floor: number[] = []
    const version: number[] = []
    const daemon: number[] = []
    const weights: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const node = (args: readonly string[]) => there.run(process.execPath, args, '')
      floor.push((await node(['-e', '0'])).us)
      version.push((await node([join(project, 'bin/signalbox.cjs'), '--version'])).us)
      const began = process.hrtime.bigint()
      await there.daemon()
      daemon.push(Number(process.hrtime.bigint() - began) / 1000)
      await there.run(there.hook, there.hookArgs, there.payload('packs', 'git status --short'))
      weights.push(residentMegabytes(there.control('status').pid))
      there.stop()
    }
    const sorted = (list: number[]) => list.sort((a, b) => a - b)
    const lines = [
      line('node -e 0 (floor)', sorted(floor)),
      line('signalbox --version', sorted(version)),
      line('the daemon, until it listens', sorted(daemon)),
    ]
    const ratio = (lines[1]?.us ?? Infinity) / (lines[0]?.us ?? 1)
    const weight = sorted(weights)[ROUNDS / 2] ?? Infinity
    return report('start', lines, [
      { text: `--version: ${ratio.toFixed(2)} × node -e 0 ≤ 1.5 ×`, ok: ratio <= 1.5 },
      { text: `the daemon after one event, all packs: ${weight.toFixed(0)} MB ≤ 90 MB`, ok: weight <= 90 },
    ])
  } finally {
    there.end()
  }
}

function residentMegabytes(pid: number | undefined): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kilobytes) * 1024) / MEGABYTE
}
