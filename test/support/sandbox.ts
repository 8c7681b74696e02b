import { execFileSync, spawn } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type HookCall, InProcessSandbox, type Policies, type Ran } from './in-process-sandbox.ts'

export type { Ran } from './in-process-sandbox.ts'

export const BIN = resolve(import.meta.dirname, '../../bin/signalbox.cjs')

interface ProcessCall extends HookCall {
  /** the first call of all: nothing that V8 compiled is kept */
  readonly cold?: boolean
}

/** A throw-away project and home, and the real command run in them, in a process of its own. */
export class Sandbox extends InProcessSandbox {
  hook(client: string, payload: string, { args = [], env = {}, programs, cold }: ProcessCall = {}): Promise<Ran> {
    const isFirst = !existsSync(join(this.home, 'state')) && !PLACES.some(name => name in env)
    if (isFirst && !cold) this.warm()
    const path = programs && { PATH: this.install(programs) }
    const own = { ...this.envHere(env), ...path }
    return this.run(['hook', '--client', client, ...args], { input: this.here(payload), env: own })
  }

  /** As after an earlier call: our code as V8 compiled it is there, which is a fifth of what a first call costs. */
  warm(): this {
    compiled ??= compile()
    const folder = join(this.home, 'state/code')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(compiled)) linkSync(join(compiled, name), join(folder, name))
    return this
  }

  /** Output has the folders of the sandbox named as in the recordings. */
  run(
    args: readonly string[],
    options: {
      input?: string | Buffer
      env?: Readonly<Record<string, string>>
      cwd?: string
      bin?: string
      timeoutMs?: number
    } = {},
  ): Promise<Ran> {
    const env = { PATH: process.env.PATH, HOME: this.home, SIGNALBOX_HOME: this.home, NO_COLOR: '1', ...options.env }
    return new Promise((done, fail) => {
      const child = spawn(process.execPath, [options.bin ?? BIN, ...args], { cwd: options.cwd ?? this.project, env })
      if (options.timeoutMs) setTimeout(() => child.kill('SIGTERM'), options.timeoutMs)
      let stdout = ''
      let stderr = ''
      child.stdout.on('data', chunk => {
        stdout += chunk
      })
      child.stderr.on('data', chunk => {
        stderr += chunk
      })
      child.on('error', fail)
      child.on('close', exitCode => done({ exitCode, stdout: this.renamed(stdout), stderr: this.renamed(stderr) }))
      child.stdin.on('error', () => {})
      child.stdin.end(options.input ?? '')
    })
  }
}

/** A call that sets one of these has its state elsewhere. */
const PLACES = ['HOME', 'SIGNALBOX_HOME', 'XDG_STATE_HOME']

let compiled: string | undefined

function compile(): string {
  const { home, project, remove } = new Sandbox()
  process.once('exit', remove)
  const env = { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home, SIGNALBOX_DAEMON: 'off' }
  execFileSync(process.execPath, [BIN, 'hook', '--client', 'claude-code'], { cwd: project, env, input: '{}' })
  return join(home, 'state/code')
}

export async function withSandbox<T>(policies: Policies, work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = new Sandbox(policies)
  try {
    return await work(sandbox)
  } finally {
    sandbox.remove()
  }
}
