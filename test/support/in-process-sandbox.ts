import { chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditRecord, SqliteStore } from '../../src/store/index.ts'
import { runHookInProcess } from './in-process-hook.ts'
import { removeFolder } from './remove-folder.ts'

export interface Ran {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface HookCall {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** all that is on the PATH */
  readonly programs?: readonly string[]
}

export interface Policies {
  readonly project?: string | undefined
  readonly user?: string | undefined
  /** of the project's folder */
  readonly name?: string
}

/** A throw-away project and home, and the hook's bundle called in this process. `/home/dev/proj` of recorded payloads becomes the project. */
export class InProcessSandbox {
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

  async hookInProcess(client: string, payload: string, { args = [], env = {}, programs }: HookCall = {}): Promise<Ran> {
    const path = programs ? this.install(programs) : process.env.PATH
    const ran = await runHookInProcess({
      args: ['--client', client, ...args],
      input: this.here(payload),
      env: { PATH: path, HOME: this.home, SIGNALBOX_HOME: this.home, NO_COLOR: '1', ...this.envHere(env) },
      cwd: this.project,
    })
    return { ...ran, stdout: this.renamed(ran.stdout), stderr: this.renamed(ran.stderr) }
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

  /** Output has the folders of the sandbox named as in the recordings. */
  renamed = (text: string): string => text.replaceAll(this.project, '/home/dev/proj').replaceAll(this.home, '/home/dev')

  /** The other way round: the project of the recordings is that of the sandbox. */
  here = (text: string): string => text.replaceAll('/home/dev/proj', this.project)

  envHere = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(env).map(([name, value]) => [name, this.here(value)]))
}

export async function withInProcessSandbox<T>(
  policies: Policies,
  work: (sandbox: InProcessSandbox) => Promise<T>,
): Promise<T> {
  const sandbox = new InProcessSandbox(policies)
  try {
    return await work(sandbox)
  } finally {
    sandbox.remove()
  }
}
