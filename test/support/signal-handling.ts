import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'

/** Waits until the hook can do something about a signal: before that a signal ends any process. A fixed time would be too short on a busy machine. */
export async function untilHandled(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  while (child.exitCode === null && !isReady(child.pid, signal)) await new Promise(done => setTimeout(done, 10))
}

/** Node handles some by itself from its start, and does nothing about them: of ours, `SIGPROF` is handled after those. */
const isReady = (pid: number | undefined, signal: NodeJS.Signals): boolean =>
  handles(pid, signal) && handles(pid, 'SIGPROF')

/** As the kernel says it. */
function handles(pid = 0, signal: NodeJS.Signals): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const masks = [...status.matchAll(/^Sig(?:Cgt|Ign):\s*([0-9a-f]+)$/gm)].map(([, mask]) => BigInt(`0x${mask}`))
  return masks.some(mask => ((mask >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n)
}
