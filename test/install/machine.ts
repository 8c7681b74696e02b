import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { BIN } from '../support/sandbox.ts'

export interface Ran {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

interface How {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly bin?: string
  readonly node?: string
  readonly uid?: number
}

/** A home and a project of their own; names as people have them. Nothing of the real home is in the environment. */
export class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-install-'))
  readonly home = join(this.folder, "Jörg O'Neil's home")
  readonly project = join(this.home, 'my shop')

  constructor() {
    mkdirSync(join(this.project, '.git'), { recursive: true })
  }

  put(path: string, text: string | Buffer, mode?: number): string {
    const file = join(this.home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    if (mode !== undefined) chmodSync(file, mode)
    return file
  }

  /** The script that finds Node: beside the native hook where there is one. */
  get launcher(): string {
    const file = '.local/share/signalbox/bin/signalbox'
    return this.has(`${file}.sh`) ? `${file}.sh` : file
  }

  read = (path: string): string => readFileSync(join(this.home, path), 'utf8')
  json = (path: string) => JSON.parse(this.read(path))
  has = (path: string): boolean => existsSync(join(this.home, path))

  env = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
    HOME: this.home,
    PATH: `${join(this.home, '.local/bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
    NO_COLOR: '1',
    // a daemon for each of these homes would only take the time of others: `resident.test.ts` has them
    SIGNALBOX_DAEMON: 'off',
    ...more,
  })

  run(args: readonly string[], { bin = BIN, node = process.execPath, ...how }: How = {}): Promise<Ran> {
    return this.start([node, bin, ...args], how)
  }

  /** A line as an agent gives it to a shell. */
  shell = (line: string, how: How = {}): Promise<Ran> => this.start(['sh', '-c', line], how)

  private start([program = '', ...args]: readonly string[], { input = '', env, cwd, uid }: How): Promise<Ran> {
    return new Promise((done, fail) => {
      const who = uid === undefined ? {} : { uid, gid: uid }
      const child = spawn(program, args, { cwd: cwd ?? this.project, env: this.env(env), ...who })
      const said = { stdout: '', stderr: '' }
      child.stdout.on('data', chunk => {
        said.stdout += chunk
      })
      child.stderr.on('data', chunk => {
        said.stderr += chunk
      })
      child.on('error', fail)
      child.on('close', exitCode => done({ exitCode, ...said }))
      child.stdin.on('error', () => {})
      child.stdin.end(input)
    })
  }

  /** Everything but what Signalbox stores for itself: what each file says, its mode, where links lead. */
  tree(): Readonly<Record<string, string>> {
    const told: Record<string, string> = {}
    const visit = (folder: string): void => {
      for (const name of readdirSync(folder)) {
        const file = join(folder, name)
        const path = file.slice(this.home.length + 1)
        const stat = lstatSync(file)
        const mode = (stat.mode & 0o7777).toString(8)
        if (path === '.local/state') continue
        if (path === '.local') {
          visit(file)
          continue
        }
        if (stat.isSymbolicLink()) told[path] = `-> ${readlinkSync(file)}`
        else if (stat.isDirectory()) {
          told[path] = `folder ${mode}`
          visit(file)
        } else told[path] = `${mode} ${readFileSync(file).toString('base64')}`
      }
    }
    visit(this.home)
    return told
  }

  /** The home belongs to somebody else now. */
  giveTo(uid: number): void {
    chmodSync(this.folder, 0o755)
    const visit = (file: string): void => {
      chownSync(file, uid, uid)
      if (statSync(file).isDirectory()) for (const name of readdirSync(file)) visit(join(file, name))
    }
    visit(this.home)
  }

  /** The program as it lies after an installation, elsewhere: `version` in place of its own. */
  unpack(to: string, version?: string): string {
    const root = join(dirname(BIN), '..')
    const folder = join(this.folder, to, 'node_modules', 'signalbox')
    mkdirSync(folder, { recursive: true })
    for (const name of ['bin', 'dist', 'packs', 'plugins', 'schema', 'demo', 'package.json'])
      spawnSync('cp', ['-R', join(root, name), folder])
    for (const name of ['libsql', '@neon-rs', 'detect-libc', '@libsql'])
      spawnSync('cp', ['-R', join(root, 'node_modules', name), join(folder, '..')])
    const parts = readdirSync(join(folder, 'dist/cli')).map(name => `dist/cli/${name}`)
    if (version) for (const name of ['package.json', ...parts, NATIVE]) renumber(join(folder, name), version)
    return join(folder, 'bin', 'signalbox.cjs')
  }

  remove = (): void => {
    spawnSync('chmod', ['-R', 'u+w', this.folder])
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const NATIVE = 'dist/native/signalbox-hook'

/** In a program, only by one of the same length. */
function renumber(file: string, version: string): void {
  if (!existsSync(file)) return
  const now = JSON.parse(readFileSync(join(dirname(BIN), '../package.json'), 'utf8')).version
  const text = readFileSync(file, 'latin1')
  const quoted = file.endsWith(NATIVE) ? text : text.replaceAll(`"${now}"`, `"${version}"`)
  writeFileSync(file, quoted.replaceAll(`signalbox-hook ${now}`, `signalbox-hook ${version}`), 'latin1')
}

export async function onMachine(work: (machine: Machine) => Promise<void>): Promise<void> {
  const machine = new Machine()
  try {
    await work(machine)
  } finally {
    machine.remove()
  }
}

/** The line an agent's file has for this event. */
export function lineIn(settings: unknown, event: string): string {
  const text = JSON.stringify(settings)
  const value = JSON.parse(text).hooks[event]
  const handler = value.at(-1).hooks?.[0] ?? value.at(-1)
  return handler.command ?? handler.bash
}

export const CALL = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  tool_name: 'Bash',
  tool_input: { command: 'signalbox off' },
})
