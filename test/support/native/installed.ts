import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { queryDaemon } from '../../../src/hook/daemon/index.ts'
import { type AuditRecord, SqliteStore } from '../../../src/store/index.ts'
import { HOOK, pause, Stage } from './hook.ts'

export const ROOT = resolve(import.meta.dirname, '../../..')

/** The native hook with the real program behind it, as `init` leaves it, but for the copy: the program is this checkout. */
export class Installed extends Stage {
  readonly state = join(this.home, 'state')
  /** file systems of its own, to be taken away again */
  readonly mounts: string[] = []

  constructor(policy: string, program = ROOT) {
    super()
    mkdirSync(join(this.project, '.git'))
    writeFileSync(join(this.home, 'signalbox.yaml'), policy)
    this.use(program)
  }

  /** Whose program the launcher starts. */
  use(program: string): void {
    rmSync(join(this.folder, 'data/current'), { recursive: true })
    symlinkSync(program, join(this.folder, 'data/current'))
    writeFileSync(this.launcher, `#!/bin/sh\nexec '${process.execPath}' '${program}/bin/signalbox.cjs' "$@"\n`)
  }

  /** The hook alone: where no daemon answers it, nobody but its last resort can. */
  alone(): string {
    const folder = join(this.folder, 'alone/bin')
    mkdirSync(folder, { recursive: true })
    copyFileSync(HOOK, join(folder, 'signalbox'))
    return join(folder, 'signalbox')
  }

  get env(): Record<string, string> {
    return { PATH: process.env.PATH ?? '', HOME: this.home, SIGNALBOX_HOME: this.home }
  }

  /** One more: it ends at once where there is one. */
  serve(env: Readonly<Record<string, string>> = {}, program = ROOT): ChildProcess {
    const bin = join(program, 'bin/signalbox.cjs')
    return spawn(process.execPath, [bin, 'daemon', 'serve'], {
      cwd: '/',
      env: { ...this.env, ...env },
      stdio: 'ignore',
    })
  }

  /** Its process, once it answers. Hooks start one too. */
  async resident(env: Readonly<Record<string, string>> = {}, { patienceMs = 0 } = {}): Promise<number> {
    const found = await this.answering(patienceMs)
    if (found !== undefined) return found
    this.serve(env)
    const made = await this.answering(15_000)
    if (made === undefined) throw new Error('no daemon answers')
    return made
  }

  async answering(patienceMs: number): Promise<number | undefined> {
    for (const end = performance.now() + patienceMs; ; await pause(15)) {
      const status = await queryDaemon(this.state, 'status')
      if (status || performance.now() > end) return status?.pid
    }
  }

  store<T>(look: (store: SqliteStore) => T): T {
    const store = new SqliteStore(this.state)
    try {
      return look(store)
    } finally {
      store.close()
    }
  }

  records = (): readonly AuditRecord[] =>
    this.store(store => store.records({ last: 1_000_000 }).map(({ record }) => record))

  get spooled(): readonly string[] {
    try {
      return readdirSync(join(this.state, 'spool'))
    } catch {
      return []
    }
  }

  /** Whatever runs for this home: nothing else has it in its environment. */
  processes(): readonly { readonly pid: number; readonly words: string }[] {
    return readdirSync('/proc').flatMap(name => {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
      const environment = fileOf(name, 'environ')
      if (!environment.split('\0').includes(`SIGNALBOX_HOME=${this.home}`)) return []
      return [{ pid: Number(name), words: fileOf(name, 'cmdline').replaceAll('\0', ' ').trim() }]
    })
  }

  daemons(): readonly number[] {
    return this.processes().flatMap(({ pid, words }) => (/signalbox\.cjs daemon serve$/.test(words) ? [pid] : []))
  }

  override end(): void {
    for (const { pid } of this.processes()) kill(pid)
    for (const folder of this.mounts) spawnSync('umount', ['-l', folder])
    super.end()
  }
}

/** Gone is gone. */
export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it was faster
  }
}

export const isAlive = (pid: number): boolean => linkOf(`/proc/${pid}/exe`) !== ''

function fileOf(pid: string, name: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

export async function until(holds: () => boolean | Promise<boolean>, patienceMs = 15_000): Promise<void> {
  for (const end = performance.now() + patienceMs; !(await holds()); await pause(15))
    if (performance.now() > end) throw new Error('it did not come to that')
}

export async function whereInstalled<T>(policy: string, work: (stage: Installed) => Promise<T>): Promise<T> {
  const stage = new Installed(policy)
  try {
    return await work(stage)
  } finally {
    stage.end()
  }
}
