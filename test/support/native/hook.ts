import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Ran } from '../sandbox.ts'

/** The one that was built, or the one with sanitizers that `npm run test:native` names. */
export const HOOK = resolve(
  process.env.SIGNALBOX_NATIVE ?? join(import.meta.dirname, '../../../dist/native/signalbox-hook'),
)
export const isBuilt = existsSync(HOOK)
if (!isBuilt) console.warn('no native hook was built (no C compiler): its tests are skipped')

export const TOKEN = 'a1'.repeat(32)
const BUILD = 'build-of-the-client'

/** What the client asked, read out of its frame. */
export interface Asked {
  readonly build: string
  readonly token: string
  readonly cwd: string
  readonly args: readonly string[]
  readonly env: readonly string[]
  readonly payload: Buffer
}

export type Behaviour = (socket: Socket, asked: Asked) => unknown

interface Call {
  readonly input?: string | Buffer
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** in full control of the process: its input is left to this */
  readonly play?: (child: ChildProcess) => unknown
  readonly stdio?: readonly ('pipe' | 'ignore' | number)[]
  readonly uid?: number
  /** instead of the hook */
  readonly program?: string
}

export interface Told extends Ran {
  readonly ms: number
}

/** Stands for the launcher: it writes down how it was called, and answers. */
const LAUNCHER = `#!/bin/sh
log=$(dirname "$0")/../log
if [ "$1" = daemon ]; then
  env > "$log/daemon.env"
  { pwd; echo "$@"; ls -l /proc/$$/fd; cut -d' ' -f4-6 /proc/$$/stat; } > "$log/daemon.part"
  echo started >> "$log/starts"
  mv "$log/daemon.part" "$log/daemon"
  exit 0
fi
cat > "$log/stdin"
env > "$log/env"
ls -l /proc/$$/fd > "$log/open"
{ pwd; echo "$@"; cat "$log/open"; } > "$log/call"
echo 'one-shot'
`

/** A folder as \`init\` makes it, with the native hook in the launcher's place and a daemon that the test plays. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-native-'))
  readonly home = join(this.folder, 'home')
  readonly project = join(this.folder, 'proj')
  readonly run = join(this.home, 'state/run')
  readonly bin = join(this.folder, 'data/bin/signalbox')
  readonly launcher = `${this.bin}.sh`
  readonly asked: Asked[] = []
  private readonly servers: Server[] = []

  constructor() {
    for (const one of ['data/bin', 'data/current/dist', 'data/log', 'home', 'proj'])
      mkdirSync(join(this.folder, one), { recursive: true })
    copyFileSync(HOOK, this.bin)
    writeFileSync(this.launcher, LAUNCHER)
    writeFileSync(join(this.folder, 'data/current/dist/build'), `${BUILD}\n`)
  }

  /** The daemon's folder, as it leaves it. */
  makeRun(token = TOKEN): void {
    mkdirSync(this.run, { recursive: true, mode: 0o700 })
    chmodSync(this.run, 0o700)
    writeFileSync(join(this.run, 'token'), token, { mode: 0o600 })
  }

  async daemon(behave: Behaviour, { token = TOKEN, path = join(this.run, 'socket') } = {}): Promise<Server> {
    this.makeRun(token)
    const server = createServer(socket => {
      const chunks: Buffer[] = []
      let answered = false
      socket.on('error', () => {})
      socket.on('data', chunk => {
        chunks.push(chunk)
        const asked = answered ? undefined : requestIn(chunks)
        if (!asked) return
        answered = true
        this.asked.push(asked)
        behave(socket, asked)
      })
    })
    this.servers.push(server)
    await new Promise<void>(done => server.listen(path, done))
    return server
  }

  /** The hook, as an agent starts it. */
  hook({ args = ['--client', 'claude-code'], ...call }: Call = {}): Promise<Told> {
    return this.start(['hook', ...args], call)
  }

  start(
    words: readonly string[],
    { input = '', env = {}, cwd = this.project, play, stdio, uid, program = this.bin }: Call,
  ): Promise<Told> {
    const base = { PATH: process.env.PATH, HOME: this.home, SIGNALBOX_HOME: this.home, ...sanitizers(), ...env }
    const began = performance.now()
    return new Promise((done, fail) => {
      const how = { cwd, env: base, stdio: [...(stdio ?? (['pipe', 'pipe', 'pipe'] as const))] }
      const child = spawn(program, words, uid === undefined ? how : { ...how, uid, gid: uid })
      const out: Buffer[] = []
      const err: Buffer[] = []
      child.stdout?.on('data', chunk => out.push(chunk))
      child.stderr?.on('data', chunk => err.push(chunk))
      child.stdin?.on('error', () => {})
      child.on('error', fail)
      child.on('close', exitCode => {
        const [stdout, stderr] = [out, err].map(one => Buffer.concat(one).toString())
        done({ exitCode, stdout: stdout ?? '', stderr: stderr ?? '', ms: performance.now() - began })
      })
      if (play) play(child)
      else child.stdin?.end(input)
    })
  }

  /** What the launcher wrote down, if it was called. */
  log(name: 'stdin' | 'env' | 'call' | 'daemon' | 'daemon.env' | 'starts'): string | undefined {
    const file = join(this.folder, 'data/log', name)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }

  /** How long the hook says that it took before it started the launcher. Under 20 ms it says nothing. */
  spentMs(): number {
    const [, ms = '0'] = /^SIGNALBOX_SPENT_MS=(.*)$/m.exec(this.log('env') ?? '') ?? []
    return Number(ms)
  }

  async settledLog(name: 'daemon' | 'starts'): Promise<string | undefined> {
    for (let nth = 0; nth < 1000 && this.log(name) === undefined; nth++) await pause(10)
    return this.log(name)
  }

  end(): void {
    for (const server of this.servers) server.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export const pause = (ms: number): Promise<void> => new Promise(done => setTimeout(done, ms))

/** A leak at the end of a process that ends anyway is none. */
const sanitizers = () =>
  process.env.SIGNALBOX_NATIVE ? { ASAN_OPTIONS: 'detect_leaks=0', UBSAN_OPTIONS: 'print_stacktrace=1' } : {}

function requestIn(chunks: Buffer[]): Asked | undefined {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const [first] = chunks
  if (!first || size < 12) return undefined
  const head = first.length >= 12 ? first : Buffer.concat(chunks)
  const [header, payload] = [head.readUInt32LE(4), head.readUInt32LE(8)]
  if (size < 12 + header + payload) return undefined
  const whole = Buffer.concat(chunks)
  if (whole.toString('latin1', 0, 4) !== 'SBQ1' || size !== 12 + header + payload) throw new Error('not a request')
  const strings = whole
    .subarray(12, 12 + header)
    .toString()
    .split('\0')
  if (strings.pop() !== '') throw new Error('the header does not end in NUL')
  const [build = '', token = '', cwd = '', count, ...rest] = strings
  const args = rest.slice(0, Number(count))
  return { build, token, cwd, args, env: rest.slice(Number(count)), payload: whole.subarray(12 + header) }
}

interface Reply {
  readonly status?: number
  readonly exitCode?: number
  readonly stdout?: string
  readonly stderr?: string
}

export function reply({ status = 0, exitCode = 0, stdout = '', stderr = '' }: Reply): Buffer {
  const head = Buffer.alloc(16)
  head.write('SBR1')
  head.writeUInt8(status, 4)
  head.writeUInt8(exitCode, 5)
  head.writeUInt32LE(Buffer.byteLength(stdout), 8)
  head.writeUInt32LE(Buffer.byteLength(stderr), 12)
  return Buffer.concat([head, Buffer.from(stdout), Buffer.from(stderr)])
}

/** "I may take so long." */
export function interim(ms: number): Buffer {
  const word = Buffer.alloc(8)
  word.write('SBW1')
  word.writeUInt32LE(ms, 4)
  return word
}

export async function onStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = new Stage()
  try {
    return await work(stage)
  } finally {
    stage.end()
  }
}
