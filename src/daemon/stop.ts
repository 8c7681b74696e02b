import { readFileSync } from 'node:fs'
import { askDaemon, type Status } from './ask.ts'

const PATIENCE_MS = 5000

/** It answers what it has accepted first: `stopped` is false where that takes long. Without a status there was none. */
export async function stopDaemon(state: string): Promise<{ readonly status?: Status; readonly stopped: boolean }> {
  const status = await askDaemon(state, 'stop')
  return status ? { status, stopped: await hasEnded(status.pid) } : { stopped: false }
}

/** Its first process may take its time to bury it. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    return !(error instanceof Error && 'syscall' in error && error.syscall === 'open' && process.platform !== 'linux')
  }
}

async function hasEnded(pid: number): Promise<boolean> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    if (isGone(pid)) return true
    await new Promise(done => setTimeout(done, 20))
  }
  return false
}
