import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type AuditRecord, SqliteStore } from '../src/store/index.ts'
import { runHookInProcess } from './in-process-hook.ts'
import { removeFolder } from './remove-folder.ts'

export const BIN = resolve(import.meta.dirname, '../bin/signalbox.cjs')

export interface Ran {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

interface HookCall {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** all that is on the PATH */
  readonly programs?: readonly string[]
  /** the first call of all: nothing that V8 compiled is kept */
  readonly cold?: boolean
}

interface Policies {
  readonly project?: string | undefined
  readonly user?: string | undefined
  /** of the project's folder */
  readonly name?: string
}

/** A throw-away project and home, and the real command run in them. `/home/dev/proj` of recorded payloads becomes the project. */
export class Sandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'))
  readonly project: string
  readonly home = join(this.folder, 'home')

  constructor({ project, user, name = 'proj' }: Policies = {}) {
    this.project = join(this.folder, name)
    mkdirSync(join(this.project, '.git'), { recursive: true })
    mkdirSync(this.home)
    if (project !== undefined) writeFileSync(join(this.project, 'signalbox.yaml'), project)
    if (user !== undefined) writeFileSync(join(this.home, 'signalbox.yaml'), user)
  }

  hook(client: string, payload: string, { args = [], env = {}, programs, cold }: HookCall = {}): Promise<Ran> {
    const isFirst = !existsSync(join(this.home, 'state')) && !PLACES.some(name => name in env)
    if (isFirst && !cold) this.warm()
    const here = (text: string): string => text.replaceAll('/home/dev/proj', this.project)
    const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, here(value)]))
    const path = programs && { PATH: this.install(programs) }
    return this.run(['hook', '--client', client, ...args], { input: here(payload), env: { ...own, ...path } })
  }

  /** The same, in this process. */
  async hookInProcess(client: string, payload: string, { args = [], env = {}, programs }: HookCall = {}): Promise<Ran> {
    const here = (text: string): string => text.replaceAll('/home/dev/proj', this.project)
    const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, here(value)]))
    const path = programs ? this.install(programs) : process.env.PATH
    const ran = await runHookInProcess({
      args: ['--client', client, ...args],
      input: here(payload),
      env: { PATH: path, HOME: this.home, SIGNALBOX_HOME: this.home, NO_COLOR: '1', ...own },
      cwd: this.project,
    })
    if (!ran) return this.hook(client, payload, { args, env, ...(programs && { programs }) })
    return { ...ran, stdout: this.renamed(ran.stdout), stderr: this.renamed(ran.stderr) }
  }

  /** As after an earlier call: our code as V8 compiled it is there, which is a fifth of what a first call costs. */
  warm(): this {
    compiled ??= compile()
    const folder = join(this.home, 'state/code')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(compiled)) linkSync(join(compiled, name), join(folder, name))
    return this
  }

  /** What lies in the folder, put into the project. */
  bring = (folder: string): void => cpSync(folder, this.project, { recursive: true })

  /** A PATH on which these programs are, and no others. None of them does anything. */
  install(programs: readonly string[]): string {
    const folder = join(this.folder, 'bin')
    mkdirSync(folder, { recursive: true })
    for (const name of programs) {
      writeFileSync(join(folder, name), '#!/bin/sh\n')
      chmodSync(join(folder, name), 0o755)
    }
    return folder
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

  records(): readonly AuditRecord[] {
    return this.store(store => store.records({ last: 1000 }).map(({ record }) => record))
  }

  /** The store as the hook left it. */
  store<T>(look: (store: SqliteStore) => T): T {
    const store = new SqliteStore(join(this.home, 'state'))
    try {
      return look(store)
    } finally {
      store.close()
    }
  }

  remove = (): void => removeFolder(this.folder)

  renamed = (text: string): string => text.replaceAll(this.project, '/home/dev/proj').replaceAll(this.home, '/home/dev')
}

/** Whoever sets one of these has the state elsewhere. */
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
