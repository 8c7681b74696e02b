import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePrivateFolder } from '../../policy/index.ts'

const WAIT_MS = 20_000
const STALE_MS = 120_000

/** Only one process at a time changes agents' files. A lock whose process has ended is stale. */
export function withInstallLock<T>(state: string, work: () => T): T {
  ensurePrivateFolder(state)
  const file = join(state, 'install.lock')
  const until = Date.now() + WAIT_MS
  while (!tryTakeLock(file)) {
    if (isLockStale(file)) rmSync(file, { force: true })
    else if (Date.now() > until) throw new Error(`another \`signalbox\` command is running; if none is, remove ${file}`)
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
  try {
    return work()
  } finally {
    rmSync(file, { force: true })
  }
}

function tryTakeLock(file: string): boolean {
  try {
    const handle = openSync(file, 'wx', 0o600)
    writeSync(handle, String(process.pid))
    closeSync(handle)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function isLockStale(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return false
  if (Date.now() - stat.mtimeMs > STALE_MS) return true
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    if (pid > 0) process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
