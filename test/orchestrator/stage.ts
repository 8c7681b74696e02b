import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Terminal } from '../../src/app/cli/command.ts'
import { main } from '../../src/app/cli/index.ts'
import { type AuditRecord, SqliteStore } from '../../src/store/index.ts'
import { removeFolder } from '../support/remove-folder.ts'
import { BIN, type Ran } from '../support/sandbox.ts'

export const CAPTURES = join(import.meta.dirname, 'captures')

/** A project of its own, and programs that play the backends: what they print was recorded from the real ones. */
export class Stage {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-orchestrate-')))
  readonly home = join(this.folder, 'home')
  readonly project = join(this.folder, 'proj')
  readonly state = join(this.home, 'state')
  private readonly programs = join(this.folder, 'bin')

  constructor(policy = 'use: [master-orchestrator]\n') {
    for (const folder of [this.programs, this.project, join(this.home, '.claude')])
      mkdirSync(folder, { recursive: true })
    writeFileSync(join(this.home, 'signalbox.yaml'), policy)
    writeFileSync(join(this.project, 'README.md'), 'a project\n')
    this.git('init', '-q', '-b', 'main')
    this.git('add', '-A')
    this.git('-c', 'user.name=dev', '-c', 'user.email=dev@example.org', 'commit', '-qm', 'begin')
  }

  git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', this.project, ...args], { encoding: 'utf8', env: this.env })

  /** `$1…` are its arguments, the task is its stdin. */
  program(name: string, script: string): void {
    const file = join(this.programs, name)
    writeFileSync(file, `#!/bin/sh\n${script}\n`)
    chmodSync(file, 0o755)
  }

  /** A backend that says what the real one said. */
  plays(name: string, capture: string, { first = '', last = '' } = {}): void {
    const log = join(this.folder, name)
    this.program(
      name,
      `echo "$*" > '${log}.args'; cat > '${log}.stdin'; env > '${log}.env'\n${first}\ncat '${join(CAPTURES, `${capture}.jsonl`)}'\n${last}`,
    )
  }

  /** What was given to a backend. */
  given = (name: string, what: 'args' | 'stdin' | 'env'): string =>
    readFileSync(join(this.folder, `${name}.${what}`), 'utf8')

  wasStarted = (name: string): boolean => existsSync(join(this.folder, `${name}.args`))

  get env(): Record<string, string> {
    const path = [this.programs, dirname(process.execPath), '/usr/bin', '/bin'].join(':')
    return { PATH: path, HOME: this.home, SIGNALBOX_HOME: this.home, SIGNALBOX_DAEMON: 'off', NO_COLOR: '1' }
  }

  /** The hook as a client starts it, for a script: it says `deny` or nothing. */
  hookLine(file = 'src/a'): string {
    const payload = { session_id: 's', cwd: this.project, hook_event_name: 'PreToolUse', tool_name: 'Write' }
    const input = join(this.folder, 'payload.json')
    writeFileSync(input, JSON.stringify({ ...payload, tool_input: { file_path: file, content: 'a' } }))
    return `'${process.execPath}' '${BIN}' hook --client claude-code < '${input}'`
  }

  run(
    args: readonly string[],
    play?: (child: ChildProcess) => unknown,
    env = {},
  ): Promise<Ran & { signal: string | null }> {
    return new Promise((done, fail) => {
      const child = spawn(process.execPath, [BIN, 'orchestrate', ...args], {
        cwd: this.project,
        env: { ...this.env, ...env },
      })
      const [out, err]: [Buffer[], Buffer[]] = [[], []]
      child.stdout.on('data', chunk => out.push(chunk))
      child.stderr.on('data', chunk => err.push(chunk))
      child.on('error', fail)
      child.on('close', (exitCode, signal) => {
        const [stdout = '', stderr = ''] = [out, err].map(one => Buffer.concat(one).toString())
        done({ exitCode, signal, stdout, stderr })
      })
      child.stdin.end()
      play?.(child)
    })
  }

  /** From another folder. */
  in = (cwd: string) => ({ say: (...args: readonly string[]) => this.sayIn(cwd, args) })

  /** The same, without a process of its own: most of what a command takes is to begin. */
  say = (...args: readonly string[]): Promise<Ran> => this.sayIn(this.project, args)

  /** The same with a person at a terminal, who gives this answer to whatever is asked. */
  answering = (answer: string) => ({
    say: (...args: readonly string[]) =>
      this.sayIn(this.project, args, { isPerson: true, canAsk: true, ask: async () => answer }),
  })

  private async sayIn(cwd: string, args: readonly string[], person: Partial<Terminal> = {}): Promise<Ran> {
    let stdout = ''
    let stderr = ''
    const terminal = {
      out: (text: string) => {
        stdout += text
      },
      err: (text: string) => {
        stderr += text
      },
      ...{ env: this.env, cwd, width: 80, isPerson: false, ask: async () => '' },
      ...person,
    }
    const exitCode = await main(['orchestrate', ...args], terminal)
    return { exitCode, stdout, stderr }
  }

  records(): readonly AuditRecord[] {
    const store = new SqliteStore(this.state)
    try {
      return store.records({ last: 1000 }).map(({ record }) => record)
    } finally {
      store.close()
    }
  }

  /** Whoever runs for this home. */
  processes(): readonly number[] {
    return readdirSync('/proc').flatMap(name => {
      if (!/^\d+$/.test(name)) return []
      try {
        const environ = readFileSync(`/proc/${name}/environ`, 'latin1')
        return environ.split('\0').includes(`SIGNALBOX_HOME=${this.home}`) ? [Number(name)] : []
      } catch {
        return []
      }
    })
  }

  end(): void {
    for (const pid of this.processes()) process.kill(pid, 'SIGKILL')
    removeFolder(this.folder)
  }
}
