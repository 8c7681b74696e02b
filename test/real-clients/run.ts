import { type ChildProcess, spawn } from 'node:child_process'
import type { Launch } from './driver.ts'

export interface Ended {
  readonly exitCode: number | null
  readonly output: string
  readonly timedOut: boolean
}

/** Groups that run now: they end with the tests, should these be interrupted. */
const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const child of running) endGroup(child)
    process.exit(1)
  })
}

/** The client, in a process group of its own that ends with it, whatever it has started. */
export async function run(
  { command, args, env }: Launch,
  { cwd, timeoutMs, user }: { cwd: string; timeoutMs: number; user?: number | undefined },
): Promise<Ended> {
  const as = user === undefined ? {} : { uid: user, gid: user }
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'], ...as })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += chunk
    })
  }
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    endGroup(child)
  }, timeoutMs)
  try {
    const closed = new Promise(done => child.on('close', done))
    const exitCode = await new Promise<number | null>((done, fail) => {
      child.on('error', fail)
      child.on('exit', done)
    })
    endGroup(child)
    // a process that left the group may keep the pipes open for ever
    await Promise.race([closed, new Promise(done => setTimeout(done, 500).unref())])
    return { exitCode, output, timedOut }
  } finally {
    clearTimeout(timer)
    endGroup(child)
    running.delete(child)
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // nothing of it was left
  }
}
