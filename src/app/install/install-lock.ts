import { join } from 'node:path'
import { ensurePrivateFolder } from '../../policy/index.ts'
import { acquireFileLock, type FileLock } from '../../store/index.ts'

const WAIT_MS = 20_000

/** Only one process at a time changes agents' files. */
export function withInstallLock<T>(state: string, work: () => T): T {
  ensurePrivateFolder(state)
  const lock = waitForLock(join(state, 'install.lock'))
  try {
    return work()
  } finally {
    lock.release()
  }
}

function waitForLock(file: string): FileLock {
  const until = Date.now() + WAIT_MS
  for (;;) {
    const lock = acquireFileLock(file)
    if (lock) return lock
    if (Date.now() > until) throw new Error('another `signalbox` command is changing the settings of your agents')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
}
