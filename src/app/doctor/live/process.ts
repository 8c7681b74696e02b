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
  /** null: it was ended from outside */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
  readonly ms: number
  /** why it could not be started */
  readonly unstarted?: string
}

const MAX_OUTPUT = 1_000_000

/** In a process group of its own that ends with it, whatever it has started. */
export function runToEnd({ command, args, env, cwd, input, timeoutMs }: ProcessSpec): Promise<ProcessResult> {
  const began = performance.now()
  return new Promise(done => {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    const said = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', chunk => {
        if (said[name].length < MAX_OUTPUT) said[name] += chunk
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
      done({ exitCode, ...said, timedOut, ms, ...(unstarted !== undefined && { unstarted }) })
    }
    child.on('error', error => end(null, error.message))
    // what it left behind may keep the pipes open for ever
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
    // nothing of it was left
  }
}
