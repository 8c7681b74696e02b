import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { stringify } from 'yaml'
import type { Scenario } from './scenario.ts'
import { putFile } from './setup.ts'

const BIN = resolve(import.meta.dirname, '../../bin/signalbox.cjs')

/** Folders of one run, and nothing of the machine's own settings. */
export class Folders {
  // some clients resolve links: their project must not be another one than ours
  readonly folder = mkdtempSync(join(realpathSync(tmpdir()), 'real-client-'))
  readonly home = join(this.folder, 'home')
  readonly project = join(this.home, 'proj')
  readonly state = join(this.home, '.local/state/signalbox')
  private readonly programs = join(this.folder, 'bin')

  constructor({ policy, before }: Pick<Scenario, 'policy' | 'before'>) {
    for (const folder of ['home/proj', 'bin', 'tmp']) mkdirSync(join(this.folder, folder), { recursive: true })
    execFileSync('git', ['init', '-q', '-b', 'main', this.project], { env: this.env })
    // in the project: some clients hide the home's from the commands they run
    appendFileSync(join(this.project, '.git/config'), '[user]\nname = dev\nemail = dev@example.org\n')
    if (Object.keys(policy).length > 0) putFile(this.project, 'signalbox.yaml', stringify(policy))
    for (const [path, content] of Object.entries(before)) putFile(this.project, path, content)
    this.program('signalbox', `exec '${process.execPath}' '${BIN}' "$@"`)
    // a login shell makes a PATH of its own
    for (const file of ['.profile', '.bash_profile']) putFile(this.home, file, `PATH='${this.env.PATH}'\n`)
    // routes that suggest it are silent where it is missing
    this.program('gh', 'exit 0')
  }

  /** All that the client inherits. */
  get env(): Readonly<Record<string, string>> {
    const path = [this.programs, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
    const offline = process.env.SIGNALBOX_REAL_NETWORK === 'none' ? {} : NOWHERE
    return { PATH: path, HOME: this.home, TMPDIR: join(this.folder, 'tmp'), LANG: 'C.UTF-8', NO_COLOR: '1', ...offline }
  }

  /** The command, as a person here types it. */
  signalbox(...args: readonly string[]): { readonly status: number | null; readonly said: string } {
    const options = { cwd: this.project, env: this.env, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(join(this.programs, 'signalbox'), args, options)
    return { status, said: `${stdout}${stderr}` }
  }

  remove = (): void => rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })

  private program(name: string, line: string): void {
    putFile(this.programs, name, `#!/bin/sh\n${line}\n`)
    chmodSync(join(this.programs, name), 0o755)
  }
}

/** Without a network namespace: at least what asks for a proxy gets nowhere. */
const NOWHERE = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' }
