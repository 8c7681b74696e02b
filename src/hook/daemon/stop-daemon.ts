import { readFileSync } from 'node:fs'
import { type DaemonStatus, queryDaemon } from './query-daemon.ts'

const STOP_TIMEOUT_MS = 5000

/** It answers what it has accepted first: `stopped` is false where that takes long. Without a status there was none. */
export async function stopDaemon(
  state: string,
): Promise<{ readonly status?: DaemonStatus; readonly stopped: boolean }> {
  const status = await queryDaemon(state, 'stop')
  return status ? { status, stopped: await waitForEnd(status.pid) } : { stopped: false }
}

/** Its first process may take its time to bury it. */
function isProcessGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    return !(error instanceof Error && 'syscall' in error && error.syscall === 'open' && process.platform !== 'linux')
  }
}

async function waitForEnd(pid: number): Promise<boolean> {
  for (const end = Date.now() + STOP_TIMEOUT_MS; Date.now() < end; ) {
    if (isProcessGone(pid)) return true
    await new Promise(done => setTimeout(done, 20))
  }
  return false
}
