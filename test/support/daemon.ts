import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readDaemonLog } from '../../src/hook/daemon/index.ts'
import { payloadOf } from './bash-payload.ts'
import { ask, type Call } from './daemon-client.ts'
import { BIN, Sandbox } from './sandbox.ts'

export const POLICY = `
gates:
  no-commit:
    rules: [{ when: { event: tool.before, command: git commit }, then: deny, message: Not now. }]
`

/** A daemon of its own for one test, as it is started for real. */
export class Running {
  readonly state: string
  child: ChildProcess | undefined

  constructor(readonly sandbox: Sandbox) {
    this.state = join(sandbox.home, 'state')
  }

  get env(): Record<string, string> {
    const { home } = this.sandbox
    // a proof is made for who asks for one
    return { PATH: process.env.PATH ?? '', HOME: home, SIGNALBOX_HOME: home, SIGNALBOX_DAEMON_QUIET_MS: '600000' }
  }

  /** Not waited for. */
  serve(env: Readonly<Record<string, string>> = {}, bin = BIN): ChildProcess {
    return spawn(process.execPath, [bin, 'daemon', 'serve'], {
      cwd: '/',
      env: { ...this.env, ...env },
      stdio: 'ignore',
    })
  }

  async start(env: Readonly<Record<string, string>> = {}, bin = BIN): Promise<this> {
    this.child = this.serve(env, bin)
    await until(() => existsSync(join(this.state, 'run/socket')))
    return this
  }

  call(command: string, more: Call = {}) {
    const { project } = this.sandbox
    const payload = payloadOf(command, project)
    return ask(this.state, { client: 'claude-code', payload, cwd: project, env: this.env, ...more })
  }

  get log(): string {
    return readDaemonLog(join(this.state, 'run/log'), { last: 1000 }).join('\n')
  }

  get hasEnded(): boolean {
    return this.child?.exitCode !== null || this.child.signalCode !== null
  }

  async ended(): Promise<number | null> {
    if (this.child && !this.hasEnded) await once(this.child, 'exit')
    return this.child?.exitCode ?? null
  }

  async end(): Promise<void> {
    if (!this.hasEnded) this.child?.kill('SIGKILL')
    await this.ended()
  }
}

export async function until(isSo: () => boolean, patienceMs = 15_000): Promise<void> {
  for (const end = Date.now() + patienceMs; !isSo(); await new Promise(done => setTimeout(done, 10)))
    if (Date.now() > end) throw new Error('it did not come to that')
}

export async function withDaemon<T>(
  work: (daemon: Running) => Promise<T>,
  policies: ConstructorParameters<typeof Sandbox>[0] = { project: POLICY },
): Promise<T> {
  const sandbox = new Sandbox(policies)
  const daemon = new Running(sandbox)
  try {
    return await work(daemon)
  } finally {
    await daemon.end()
    sandbox.remove()
  }
}
