import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { listProgramFiles } from '../../src/app/install/program/program-files.ts'
import { removeFolder } from '../support/remove-folder.ts'
import type { Scenario } from './scenario.ts'
import { putFile } from './setup.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The hook's time where time is not what is tested: on a busy machine the default is over too soon. Agents wait ten seconds. */
export const PATIENT_MS = 6000

/** Where and as whom it is played: here and as oneself, unless it says otherwise. */
export interface Surroundings {
  /** a process for each event: one that stays keeps the Node it was started with */
  readonly oneShot?: boolean
  /** nothing in the environment but what nobody can do without, and nothing in the home */
  readonly empty?: boolean
  /** an id of the system; needs root */
  readonly user?: number
  /** the first on the PATH */
  readonly node?: string
  /** where an agent's own sandbox lets nothing be written but the project; a login shell finds no program of one's own */
  readonly sandbox?: boolean
  /** a policy of the person that gives the hook `PATIENT_MS` */
  readonly patient?: boolean
}

/** Folders of one run, and nothing of the machine's own settings. */
export class Folders {
  // some clients resolve links: their project must not be another one than ours
  readonly folder: string
  readonly home: string
  readonly project: string
  readonly state: string
  readonly user: number | undefined
  private readonly programs: string
  private node: string
  private readonly package: string

  constructor(
    { policy, before }: Pick<Scenario, 'policy' | 'before'>,
    private readonly around: Surroundings = {},
  ) {
    // sandboxes leave the folder for temporary files open
    this.folder = mkdtempSync(join(realpathSync(around.sandbox ? '/var/tmp' : tmpdir()), 'real-client-'))
    this.home = join(this.folder, 'home')
    this.project = join(this.home, 'proj')
    this.state = join(this.home, '.local/state/signalbox')
    this.programs = join(this.folder, 'bin')
    this.user = around.user
    this.node = around.node ?? process.execPath
    for (const folder of ['home/proj', 'bin', 'tmp']) mkdirSync(join(this.folder, folder), { recursive: true })
    execFileSync('git', ['init', '-q', '-b', 'main', this.project], { env: this.env })
    // in the project: some clients hide the home's from the commands they run
    appendFileSync(join(this.project, '.git/config'), '[user]\nname = dev\nemail = dev@example.org\n')
    if (Object.keys(policy).length > 0) putFile(this.project, 'signalbox.yaml', stringify(policy))
    if (around.patient)
      putFile(this.home, '.config/signalbox/signalbox.yaml', stringify({ settings: { budgetMs: PATIENT_MS } }))
    for (const [path, content] of Object.entries(before)) putFile(this.project, path, content)
    this.package = around.user === undefined ? ROOT : copied(join(this.folder, 'package'))
    this.use(this.node)
    // routes that suggest it are silent where it is missing
    this.program('gh', 'exit 0')
  }

  /** All that the client inherits. */
  get env(): Readonly<Record<string, string>> {
    const path = [this.programs, dirname(this.node), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
    const alone = this.around.oneShot ? { SIGNALBOX_DAEMON: 'off' } : {}
    const least = { PATH: path, HOME: this.home, TMPDIR: join(this.folder, 'tmp'), ...alone }
    const offline = process.env.SIGNALBOX_REAL_NETWORK === 'none' ? {} : NOWHERE
    return this.around.empty ? { ...least, ...offline } : { ...least, LANG: 'C.UTF-8', NO_COLOR: '1', ...offline }
  }

  /** Which Node is on the PATH, from now on. */
  use(node: string): void {
    this.node = node
    this.program('signalbox', `exec '${node}' '${join(this.package, 'bin/signalbox.cjs')}' "$@"`)
    // a login shell makes a PATH of its own
    if (this.around.empty || this.around.sandbox) return
    for (const file of ['.profile', '.bash_profile']) putFile(this.home, file, `PATH='${this.env.PATH}'\n`)
  }

  /** The command, as a person here types it. */
  signalbox(...args: readonly string[]): { readonly status: number | null; readonly said: string } {
    const as = this.user === undefined ? {} : { uid: this.user, gid: this.user }
    const options = { cwd: this.project, env: this.env, encoding: 'utf8', ...as } as const
    const { status, stdout, stderr } = spawnSync(join(this.programs, 'signalbox'), args, options)
    return { status, said: `${stdout}${stderr}` }
  }

  /** What root put here is that of whom it is played as. */
  handOver(): void {
    if (this.user !== undefined) execFileSync('chown', ['-hR', `${this.user}:${this.user}`, this.folder])
  }

  /** A folder of the machine as the user can read it. */
  reachable(folder: string): string {
    if (this.user === undefined) return folder
    const copy = join(this.folder, 'copies', basename(folder))
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
    return copy
  }

  remove = (): void => removeFolder(this.folder)

  private program(name: string, line: string): void {
    putFile(this.programs, name, `#!/bin/sh\n${line}\n`)
    chmodSync(join(this.programs, name), 0o755)
  }
}

export async function withFolders<T>(
  scenario: Scenario,
  around: Surroundings,
  work: (folders: Folders) => Promise<T>,
): Promise<T> {
  const folders = new Folders(scenario, around)
  try {
    return await work(folders)
  } finally {
    if (process.env.SIGNALBOX_REAL_KEEP) console.log(`${scenario.name}: ${folders.folder}`)
    else folders.remove()
  }
}

/** What would be published, for who cannot read this folder. */
function copied(folder: string): string {
  for (const { from, to } of listProgramFiles(ROOT)) {
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    cpSync(from, join(folder, to))
  }
  return folder
}

/** Without a network namespace: at least what asks for a proxy gets nowhere. */
const NOWHERE = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' }
