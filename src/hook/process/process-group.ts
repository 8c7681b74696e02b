import type { ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import type { HookRun } from '../../clients/index.ts'
import { messageOf, tryOr } from '../../lib/errors.ts'
import { hasLiveProcess } from './process-table.ts'
import type { Watchdog } from './watchdog.ts'

export interface GroupCommand {
  /** the shell line from the policy */
  readonly line: string
  readonly input: string | Uint8Array
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly timeoutMs: number
  /** what messages call the time limit, if it is not the one of the policy */
  readonly limit?: string
  /** rejected when the answer is no longer needed */
  readonly passed?: Promise<never> | undefined
  /** notified when the group begins and when it has ended */
  readonly watchdog?: Pick<Watchdog, 'began' | 'ended'>
}

const MOST_OUT = 1024 * 1024
const MOST_ERR = 64 * 1024
/** between SIGTERM and SIGKILL */
const GRACE_MS = 100
/** the longest time of a timer */
const LONGEST_MS = 2 ** 31 - 1

/** Process groups that run now. They are detached, so they are killed when this process exits. */
const running = new Set<number>()
let watching = false

/**
 * Runs a shell line in its own process group and waits until it ends. Then, or on timeout, the whole group is killed: a hook leaves no
 * processes behind.
 */
export async function runInProcessGroup(errand: GroupCommand): Promise<HookRun | { readonly failed: string }> {
  // loaded lazily: most events run nothing
  const { spawn }: typeof import('node:child_process') = createRequire(import.meta.url)('node:child_process')
  let child: ChildProcess
  try {
    const { cwd, env } = errand
    child = spawn('sh', ['-c', errand.line], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  } catch (error) {
    return { failed: `could not be started: ${messageOf(error)}` }
  }
  const { pid } = child
  if (pid !== undefined) {
    watch(pid)
    errand.watchdog?.began(pid)
  }
  const stdout = collect(child.stdout, MOST_OUT)
  const stderr = collect(child.stderr, MOST_ERR)
  // a hook need not read its input
  child.stdin?.on('error', () => {})
  child.stdin?.end(errand.input)
  const ended = await ending(child, errand)
  if (pid !== undefined) {
    await endGroup(pid)
    errand.watchdog?.ended(pid)
  }
  await Promise.race([Promise.all([stdout.done, stderr.done]), pause(GRACE_MS)])
  for (const stream of child.stdio) stream?.destroy()
  return typeof ended === 'number'
    ? { exitCode: ended, stdout: stdout.text(), stderr: stderr.text(), ...(stdout.isCut() && { cut: true }) }
    : { failed: ended.failed }
}

/** The exit code, or how the command ended without one. */
function ending(
  child: ChildProcess,
  { timeoutMs, limit = `${timeoutMs} ms`, passed }: Pick<GroupCommand, 'timeoutMs' | 'limit' | 'passed'>,
): Promise<number | { readonly failed: string }> {
  return new Promise(done => {
    passed?.catch(() => done({ failed: 'was stopped: the agent no longer waits for it' }))
    const late = () => done({ failed: `did not answer within ${limit}` })
    const timer = setTimeout(late, Math.min(timeoutMs, LONGEST_MS))
    child.once('error', error => {
      clearTimeout(timer)
      done({ failed: `could not be started: ${messageOf(error)}` })
    })
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      done(code ?? { failed: `was stopped by ${signal}` })
    })
  })
}

/** Reads everything, so that the command never blocks on a full pipe. Output beyond the limit is dropped. */
function collect(stream: NodeJS.ReadableStream | null, most: number) {
  const chunks: Buffer[] = []
  let size = 0
  const done = new Promise<void>(end => {
    if (!stream) end()
    stream?.on('data', (chunk: Buffer) => {
      if (size < most) chunks.push(chunk.subarray(0, most - size))
      size += chunk.length
    })
    stream?.once('close', end)
    stream?.once('error', () => end())
  })
  return { done, text: () => Buffer.concat(chunks).toString('utf8'), isCut: () => size > most }
}

/** Sends SIGTERM, then SIGKILL. Usually no process is left, and this takes no time. */
async function endGroup(pid: number): Promise<void> {
  const end = performance.now() + GRACE_MS
  signal(pid, 'SIGTERM')
  for (let wait = 1; signal(pid, 0) && performance.now() < end; wait = Math.min(wait * 2, 20)) await pause(wait)
  signal(pid, 'SIGKILL')
  running.delete(pid)
}

/** True if the group still has a process. */
const signal = (pid: number, name: NodeJS.Signals | 0): boolean => tryOr(false, () => process.kill(-pid, name))

function watch(pid: number): void {
  running.add(pid)
  if (watching) return
  watching = true
  process.on('exit', () => {
    for (const group of running) signal(group, 'SIGKILL')
    // a killed process ends only when it is scheduled
    const end = performance.now() + GRACE_MS
    while (hasLiveProcess(running) && performance.now() < end)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
  })
}

const pause = (ms: number): Promise<void> => new Promise(done => setTimeout(done, ms))
