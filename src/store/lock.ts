import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const WAIT_MS = 5
const STALE_MS = 10_000
const LONGEST_MS = 1_500

/** Runs `work` while no other process holds the same lock file. */
export function locked<T>(file: string, work: () => T): T {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  acquire(file)
  try {
    return work()
  } finally {
    rmSync(file, { force: true })
  }
}

function acquire(file: string): void {
  const end = Date.now() + LONGEST_MS
  for (;;) {
    try {
      const handle = openSync(file, 'wx', 0o600)
      writeSync(handle, String(process.pid))
      closeSync(handle)
      return
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    if (isAbandoned(file)) rmSync(file, { force: true })
    else if (Date.now() > end) throw new Error(`the state is locked by another process (${file})`)
    else pause(WAIT_MS)
  }
}

/** A process that was killed leaves its lock behind, and its number may be another's by now: nobody holds it for long. */
function isAbandoned(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > STALE_MS) return true
    const pid = Number(readFileSync(file, 'utf8'))
    return pid > 0 && !isAlive(pid)
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isCode(error, 'ESRCH')
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
