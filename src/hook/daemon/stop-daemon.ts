import { readFileSync } from 'node:fs'
import { type DaemonStatus, queryDaemon } from './query-daemon.ts'

const STOP_TIMEOUT_MS = 5000

/** Stops the daemon, which answers accepted requests first: `stopped` is false if that takes long. No `status`: there was no daemon. */
export async function stopDaemon(
  state: string,
): Promise<{ readonly status?: DaemonStatus; readonly stopped: boolean }> {
  const status = await queryDaemon(state, 'stop')
  return status ? { status, stopped: await waitForEnd(status.pid) } : { stopped: false }
}

/** A zombie counts as gone: its parent may take a while to reap it. */
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
