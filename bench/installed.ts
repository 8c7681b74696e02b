import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { encodeRequest } from '../src/hook/daemon/frame.ts'
import { SqliteStore, verifyAuditLog } from '../src/store/index.ts'
import { POLICY } from './bench-project.ts'

const FOLDERS = ['data/bin', 'home', 'small/.git', 'packs/.git', 'tools']
const ARGS = ['--client', 'claude-code']

/** As `init` leaves it: the native hook, the launcher beside it, and a daemon that the first call starts. Two projects: one gate, and all packs. */
export class Installed {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  readonly home = join(this.folder, 'home')
  readonly hook = join(this.folder, 'data/bin/signalbox')
  readonly hookArgs = ['hook', ...ARGS]
  readonly env: NodeJS.ProcessEnv
  /** events that were sent, each with a number of its own */
  sent = 0

  constructor(private readonly root: string) {
    for (const name of FOLDERS) mkdirSync(join(this.folder, name), { recursive: true })
    const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
    this.env = { ...env, HOME: this.home, SIGNALBOX_HOME: this.home }
    symlinkSync(root, join(this.folder, 'data/current'))
    copyFileSync(join(root, 'dist/native/signalbox-hook'), this.hook)
    chmodSync(this.hook, 0o755)
    const launch = `#!/bin/sh\nexec '${process.execPath}' '${root}/bin/signalbox.cjs' "$@"\n`
    writeFileSync(`${this.hook}.sh`, launch, { mode: 0o755 })
    writeFileSync(join(this.project('small'), 'signalbox.yaml'), POLICY)
    const packs = join(root, 'packs')
    const byDefault = readFileSync(join(packs, 'built-in.yaml'), 'utf8')
    const ids = readdirSync(packs, { withFileTypes: true }).flatMap(one => (one.isDirectory() ? one.name : []))
    const use = ids.filter(id => !byDefault.includes(id)).join(', ')
    writeFileSync(join(this.project('packs'), 'signalbox.yaml'), `use: [${use}]\n`)
  }

  project = (name: 'small' | 'packs'): string => join(this.folder, name)

  /** A C program of this folder, with the compiler and flags of the hook. */
  async tool(name: 'echo' | 'load'): Promise<string> {
    const { buildForHost } = await import(pathToFileURL(join(this.root, 'scripts/native.mjs')).href)
    const out = join(this.folder, 'tools', name)
    const problem = buildForHost(out, [join(this.root, 'bench', `${name}.c`)])
    if (problem !== '') throw new Error(problem ?? 'no C compiler')
    return out
  }

  payload(project: 'small' | 'packs', command: string, more: object = {}): string {
    const folder = this.project(project)
    const ids = { session_id: `bench-${project}`, tool_use_id: `toolu_${String(this.sent++).padStart(8, '0')}` }
    const call = { tool_name: 'Bash', tool_input: { command, description: 'look' } }
    const place = { transcript_path: '/home/dev/.claude/projects/p/s.jsonl', cwd: folder, permission_mode: 'default' }
    return JSON.stringify({ ...ids, ...place, hook_event_name: 'PreToolUse', ...call, ...more })
  }

  /** A request as the hook sends it, with the marks that `load` replaces. */
  frame(project: 'small' | 'packs', command: string): string {
    const text = this.payload(project, command, { session_id: 'bench-%%%%', tool_use_id: 'toolu_@@@@@@@@' })
    this.sent--
    const env = { PATH: this.env.PATH ?? '', HOME: this.home, SIGNALBOX_HOME: this.home }
    const [token = ''] = readFileSync(join(this.runFolder, 'token'), 'utf8').split('\n')
    const build = readFileSync(join(this.root, 'dist/build'), 'utf8').trim()
    const frame = { kind: 'call' as const, build, token, cwd: this.project(project), args: ARGS, env }
    const file = join(this.folder, 'tools/frame')
    writeFileSync(file, encodeRequest({ ...frame, bytes: Buffer.from(text) }))
    return file
  }

  get runFolder(): string {
    return join(this.home, 'state/run')
  }

  /** The first call starts the daemon; from then on it answers. */
  async daemon(): Promise<void> {
    await this.run(this.hook, this.hookArgs, this.payload('small', 'ls'))
    for (let left = 200; left > 0; left--) {
      if (existsSync(join(this.runFolder, 'socket'))) return
      await new Promise(done => setTimeout(done, 20))
    }
    throw new Error('no daemon came up')
  }

  /** As an agent does it: a process, the payload by a pipe, over when it has ended and its output is read. Microseconds, and what it said. */
  run(program: string, args: readonly string[], input: string): Promise<{ us: number; out: string }> {
    return new Promise((done, fail) => {
      const began = process.hrtime.bigint()
      const child = spawn(program, args, { env: this.env, cwd: this.folder, stdio: ['pipe', 'pipe', 'ignore'] })
      let out = ''
      child.stdout.on('data', chunk => {
        out += chunk
      })
      child.stdin.on('error', () => {})
      child.on('error', fail)
      child.on('close', code => {
        const us = Number(process.hrtime.bigint() - began) / 1000
        if (code === 0 || code === 2) done({ us, out })
        else fail(new Error(`${program} ended with ${code}`))
      })
      child.stdin.end(input)
    })
  }

  control(word: string): { pid?: number; answered: number } {
    return JSON.parse(spawnSync(this.hook, ['daemon', word, '--json'], { env: this.env, encoding: 'utf8' }).stdout)
  }

  /** Until it has ended: one on its way out still closes its database. */
  stop(): void {
    const { pid } = this.control('status')
    spawnSync(this.hook, ['daemon', 'stop'], { env: this.env })
    for (let left = 200; pid !== undefined && left > 0 && existsSync(`/proc/${pid}`); left--)
      spawnSync('sleep', ['0.02'])
    rmSync(join(this.runFolder, 'start'), { force: true })
  }

  /** How many events are on record, and whether the trail is whole. Those that retention took away count. */
  onRecord(): { readonly many: number; readonly whole: boolean } {
    const store = new SqliteStore(join(this.home, 'state'))
    const [last] = store.records({ last: 1 })
    const own = store.records({ last: 1_000_000 }).filter(one => one.record.client === 'signalbox').length
    const whole = verifyAuditLog(join(this.home, 'state'))?.ok === true
    store.close()
    return { many: (last?.seq ?? 0) - own, whole }
  }

  end(): void {
    this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
