import { type ChildProcess, spawn } from 'node:child_process'

export interface ProcessSpec {
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly input?: string
  readonly timeoutMs: number
}

export interface ProcessResult {
  /** null: ended by a signal */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
  readonly ms: number
  /** why it could not be started */
  readonly startError?: string
}

const MAX_OUTPUT = 1_000_000

/** Runs in its own process group, which is killed at the end with everything it started. */
export function runToEnd({ command, args, env, cwd, input, timeoutMs }: ProcessSpec): Promise<ProcessResult> {
  const began = performance.now()
  return new Promise(done => {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', chunk => {
        if (output[name].length < MAX_OUTPUT) output[name] += chunk
      })
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      killProcessGroup(child)
    }, timeoutMs)
    const end = (exitCode: number | null, unstarted?: string): void => {
      clearTimeout(timer)
      killProcessGroup(child)
      const ms = Math.round(performance.now() - began)
      done({ exitCode, ...output, timedOut, ms, ...(unstarted !== undefined && { startError: unstarted }) })
    }
    child.on('error', error => end(null, error.message))
    // child processes may keep the pipes open forever
    child.on('exit', exitCode => {
      const closed = setTimeout(() => end(exitCode), 300)
      child.on('close', () => {
        clearTimeout(closed)
        end(exitCode)
      })
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input ?? '')
  })
}

function killProcessGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // no process of the group is left
  }
}
