import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Terminal } from '../../src/app/cli/command.ts'
import { main } from '../../src/app/cli/index.ts'
import { addHookEntries } from '../../src/app/install/settings-file/hook-entries.ts'
import { clientSettingsById, type SettingsScope } from '../../src/clients/settings.ts'
import { BIN, Sandbox } from '../support/sandbox.ts'

export interface Told {
  readonly id: string
  readonly severity: 'problem' | 'note'
  readonly effect: string
  readonly found: string
  readonly file?: string
  readonly line?: number
  readonly fix: string
  readonly client?: string
  readonly otherPlaces: number
}

export interface Report {
  readonly ok: boolean
  readonly problems: readonly Told[]
  readonly notes: readonly Told[]
  readonly passed: readonly string[]
  readonly live?: readonly { client: string; kind: string; verdict: string; why?: string; version?: string }[]
}

/** A machine with something wrong with it. */
export class Patient extends Sandbox {
  /** all that is on the PATH beside Node and the system's own */
  private readonly bin = this.install([])

  get path(): string {
    return [this.bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':')
  }

  /** The command as a person's own installation would have it. */
  readonly command = `'${process.execPath}' '${BIN}' hook`

  constructor(policies: ConstructorParameters<typeof Sandbox>[0]) {
    super(policies)
    // the word that fixes are told with
    this.program('signalbox', `exec '${process.execPath}' '${BIN}' "$@"`)
  }

  put(file: string, text: string): string {
    const path = file.startsWith('~/') ? join(this.home, file.slice(2)) : join(this.project, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

  /** As `init` does it. */
  register(client: string, scope: SettingsScope = 'user', line = this.command, timeoutMs = 10_000): string {
    const found = clientSettingsById(client)
    const file = found?.files[scope]
    if (!found || !file) throw new Error(`${client} has no file for ${scope}`)
    const call = { line, words: [process.execPath, BIN], timeoutMs }
    const text =
      found.hook.kind === 'file'
        ? found.hook.text(call)
        : addHookEntries('', client, found.hook.entries(call), found.hook.defaultKeys)
    return this.put(file, text)
  }

  /** A program on the PATH that says this. */
  program(name: string, script = 'exit 0'): void {
    const file = join(this.bin, name)
    rmSync(file, { force: true })
    writeFileSync(file, `#!/bin/sh\n${script}\n`)
    chmodSync(file, 0o755)
  }

  /** The canary of `init` would leave a daemon behind, which writes into folders that are being removed. */
  override run(args: readonly string[], options: Parameters<Sandbox['run']>[1] = {}) {
    const off = args[0] === 'init' ? { SIGNALBOX_DAEMON: 'off' } : {}
    return super.run(args, { ...options, env: { ...off, ...options.env } })
  }

  /** The same doctor without a process of its own for each question: a hundred cases ask it twice. */
  async look(env: Readonly<Record<string, string>> = {}): Promise<Report> {
    let [stdout, stderr] = ['', '']
    const terminal: Terminal = {
      out: text => {
        stdout += text
      },
      err: text => {
        stderr += text
      },
      env: { HOME: this.home, SIGNALBOX_HOME: this.home, NO_COLOR: '1', PATH: this.path, ...env },
      cwd: this.project,
      width: 80,
      window: { out: false, err: false },
      isPerson: false,
      canAsk: false,
      ask: async () => '',
    }
    await main(['doctor', '--json'], terminal)
    if (stderr !== '') throw new Error(stderr)
    return JSON.parse(this.renamed(stdout))
  }

  async doctor(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Report> {
    const { stdout, stderr } = await this.run(['doctor', '--json', ...args], { env: { PATH: this.path, ...env } })
    if (stderr !== '') throw new Error(stderr)
    return JSON.parse(stdout)
  }
}

export async function withPatient<T>(
  policies: ConstructorParameters<typeof Sandbox>[0],
  work: (patient: Patient) => Promise<T>,
): Promise<T> {
  const patient = new Patient(policies)
  try {
    return await work(patient)
  } finally {
    // what was made read-only can be removed again
    execFileSync('chmod', ['-R', 'u+rwX', patient.folder])
    rmSync(patient.folder, { recursive: true, force: true })
  }
}
