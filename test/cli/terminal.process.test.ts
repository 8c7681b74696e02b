import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BIN, type Sandbox, withSandbox } from '../support/sandbox.ts'

/** Real terminals, made in the ways an agent could make one. Linux: elsewhere nobody can tell who made a terminal. */
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const onLinux = process.platform === 'linux'
/** the file itself: what stands in for it may need the home folder */
const PYTHON =
  spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout?.trim() ?? ''

const POLICY = 'gates: { g: { rules: [{ when: { command: git push }, then: deny, message: no }] } }\n'

/** A pseudo terminal around a command, as anybody may make one. */
const PTY = `
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    try:
        if not os.read(fd, 1024): break
    except OSError:
        break
os.waitpid(pid, 0)
`

/** The same, and its holder becomes a program that nobody suspects. */
const KEPT = `
import os, pty, sys, time
pid, fd = pty.fork()
if pid == 0:
    time.sleep(1)
    os.execvp(sys.argv[1], sys.argv[1:])
os.dup2(fd, 0)
os.execvp('cat', ['cat'])
`

/** The same, and only those inside it hold it. */
const SELF_HELD = `
import os, pty, sys, time, fcntl, termios
master, slave = pty.openpty()
os.set_inheritable(master, True)
if os.fork() == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for fd in (0, 1, 2): os.dup2(slave, fd)
    time.sleep(1)
    os.execvp(sys.argv[1], sys.argv[1:])
`

/** Twice forked and left alone: nothing of who started it is above it any more. */
const ORPHAN = `
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp(sys.argv[1], sys.argv[1:])
    os._exit(0)
os.wait()
`

/** Takes a console or a serial line for its own, as anybody may who can open it. */
const ON_CONSOLE = `
import os, sys, fcntl, termios
os.setsid()
fd = os.open(sys.argv[1], os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
fcntl.ioctl(fd, termios.TIOCSCTTY, 0)
if len(sys.argv) == 2: os._exit(0)
os.dup2(fd, 0)
os.dup2(fd, 1)
if os.fork() == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
os.wait()
`
const CONSOLES = ['/dev/ttyS0', '/dev/tty9', '/dev/tty1']
const canTake = (device: string): boolean =>
  PYTHON !== '' && existsSync(device) && spawnSync(PYTHON, ['-c', ON_CONSOLE, device], { timeout: 20_000 }).status === 0

/** What was started says what it was told here, and then that it is done. */
class Ground {
  readonly said: string
  private readonly done: string
  readonly command: string
  readonly pty: string
  readonly orphan: string

  constructor(readonly sandbox: Sandbox) {
    this.said = join(sandbox.folder, 'said')
    this.done = join(sandbox.folder, 'done')
    this.pty = join(sandbox.folder, 'terminal.py')
    this.orphan = join(sandbox.folder, 'orphan.py')
    this.command = join(sandbox.folder, 'try.sh')
    writeFileSync(this.pty, PTY)
    writeFileSync(this.orphan, ORPHAN)
    // stdin and stdout stay the terminal: only what is said on stderr is kept
    const line = `${process.execPath} ${BIN} bypass --for 1m --reason x 2> ${this.said}; echo $? > ${this.done}`
    writeFileSync(this.command, `cd ${sandbox.project}\n${line}\n`)
  }

  async outcome(): Promise<{ code: string; said: string }> {
    for (let tries = 0; tries < 400 && !this.isDone(); tries++) await sleep(50)
    return { code: readFileSync(this.done, 'utf8').trim(), said: readFileSync(this.said, 'utf8') }
  }

  get env() {
    return { PATH: process.env.PATH, HOME: this.sandbox.home, SIGNALBOX_HOME: this.sandbox.home, TERM: 'xterm' }
  }

  private isDone = (): boolean => existsSync(this.done) && readFileSync(this.done, 'utf8') !== ''
}

const on = <T>(work: (ground: Ground) => Promise<T>) =>
  withSandbox({ project: POLICY }, sandbox => work(new Ground(sandbox)))

/** A process that goes by the name of an agent, and runs this. */
function asAgent({ sandbox, env }: Ground, argv: readonly string[]): void {
  const folder = join(sandbox.folder, 'bin')
  mkdirSync(folder)
  symlinkSync(process.execPath, join(folder, 'claude'))
  const [program, ...args] = argv
  const code = `require('child_process').spawnSync(${JSON.stringify(program)}, ${JSON.stringify(args)}, { stdio: 'ignore' })`
  spawn(join(folder, 'claude'), ['-e', code], { env, stdio: 'ignore' })
}

const REFUSED = /^signalbox bypass: only a person can do this, in their own terminal \((.*)\)\. Nothing was changed\.$/m
const whyRefused = ({ code, said }: { code: string; said: string }) =>
  code === '2' ? REFUSED.exec(said)?.[1]?.replace(/process \d+/, 'process N') : `${code} ${said}`

const CLAUDE = 'it was started by Claude Code (process N)'

describe.skipIf(!onLinux || PYTHON === '')('in a real terminal that an agent made', () => {
  it('with Python', () =>
    on(async ground => {
      asAgent(ground, [PYTHON, ground.pty, 'sh', ground.command])
      expect(whyRefused(await ground.outcome())).toBe(CLAUDE)
    }))

  it.skipIf(!has('script'))('with `script`', () =>
    on(async ground => {
      asAgent(ground, ['script', '-qec', `sh ${ground.command}`, '/dev/null'])
      expect(whyRefused(await ground.outcome())).toBe(CLAUDE)
    }),
  )

  it.skipIf(!has('setsid'))('in a session of its own', () =>
    on(async ground => {
      asAgent(ground, ['setsid', '--wait', PYTHON, ground.pty, 'sh', ground.command])
      expect(whyRefused(await ground.outcome())).toBe(CLAUDE)
    }),
  )

  it('without a terminal', () =>
    on(async ground => {
      asAgent(ground, ['sh', ground.command])
      expect(whyRefused(await ground.outcome())).toBe('there is no terminal')
    }))

  it('left alone by its parents, with a terminal of Python', () =>
    on(async ground => {
      asAgent(ground, [PYTHON, ground.orphan, PYTHON, ground.pty, 'sh', ground.command])
      expect(whyRefused(await ground.outcome())).toMatch(
        /^its terminal was opened by `python3[\d.]*`, which has no terminal itself and is not a known terminal program$/,
      )
    }))

  it('left alone by its parents, with a terminal that became another program', () =>
    on(async ground => {
      writeFileSync(ground.pty, KEPT)
      asAgent(ground, [PYTHON, ground.orphan, PYTHON, ground.pty, 'sh', ground.command])
      expect(whyRefused(await ground.outcome())).toMatch(/^its terminal was opened by `(cat|coreutils|busybox)`, which/)
    }))

  it('left alone by its parents, in a terminal that is only held by what runs in it', () =>
    on(async ground => {
      writeFileSync(ground.pty, SELF_HELD)
      asAgent(ground, [PYTHON, ground.orphan, PYTHON, ground.pty, 'sh', ground.command])
      expect(whyRefused(await ground.outcome())).toMatch(/^its terminal was opened by `\w+`, which/)
    }))

  it.skipIf(!has('script'))('left alone by its parents, with a terminal of `script`', () =>
    on(async ground => {
      asAgent(ground, [PYTHON, ground.orphan, 'script', '-qec', `sh ${ground.command}`, '/dev/null'])
      expect(whyRefused(await ground.outcome())).toBe(
        'its terminal was opened by `script`, which has no terminal itself and is not a known terminal program',
      )
    }),
  )

  for (const device of CONSOLES)
    it(`left alone by its parents, on ${device}`, ({ skip }) =>
      on(async ground => {
        if (!canTake(device)) skip(`${device} is not there, is in use, or may not be opened by this user`)
        const script = join(ground.sandbox.folder, 'console.py')
        writeFileSync(script, ON_CONSOLE)
        asAgent(ground, [PYTHON, ground.orphan, PYTHON, script, device, 'sh', ground.command])
        expect(whyRefused(await ground.outcome())).toBe('nobody is logged in on its console')
      }))

  it('left alone inside the terminal that the agent made', () =>
    on(async ground => {
      const inner = join(ground.sandbox.folder, 'inner.sh')
      writeFileSync(inner, `${PYTHON} ${ground.pty} sh ${ground.command} &\nsleep 20\n`)
      asAgent(ground, [PYTHON, ground.pty, 'sh', inner])
      expect(whyRefused(await ground.outcome())).toBe(CLAUDE)
    }))

  it('with the mark of the agent still on it', () =>
    on(async ground => {
      const env = { ...ground.env, CLAUDECODE: '1' }
      spawn(PYTHON, [ground.pty, 'sh', ground.command], { env, stdio: 'ignore' })
      expect(whyRefused(await ground.outcome())).toBe('it was started by Claude Code')
    }))

  it('is on record', () =>
    on(async ground => {
      asAgent(ground, [PYTHON, ground.pty, 'sh', ground.command])
      await ground.outcome()
      const [record] = ground.sandbox.records()
      expect(record).toMatchObject({
        name: 'bypass.refused',
        notes: [expect.stringContaining('started by Claude Code')],
      })
    }))

  it('trust is no easier', () =>
    on(async ground => {
      writeFileSync(join(ground.sandbox.project, 'signalbox.yaml'), 'allow: { commands: [rm] }\n')
      const text = readFileSync(ground.command, 'utf8').replace('bypass --for 1m --reason x', 'trust')
      writeFileSync(ground.command, text)
      asAgent(ground, [PYTHON, ground.pty, 'sh', ground.command])
      const { code, said } = await ground.outcome()
      expect({ code, said: said.replace(/process \d+/, 'process N') }).toEqual({
        code: '2',
        said: `signalbox trust: only a person can do this, in their own terminal (${CLAUDE}). Nothing was changed.\n`,
      })
    }))
})

/** The server of tmux is nobody's child, and its terminals are as good as any: also why an agent may not type into one. */
describe.skipIf(!onLinux || !has('tmux'))('in a terminal of their own', () => {
  it('a person is believed', () =>
    on(async ground => {
      const socket = join(ground.sandbox.folder, 'tmux')
      const tmux = (...args: string[]) =>
        execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env: ground.env })
      try {
        tmux('new-session', '-d', `sh ${ground.command}; sleep 30`)
        expect(await ground.outcome()).toEqual({ code: '0', said: '' })
        expect(ground.sandbox.records().map(({ name }) => name)).toEqual(['bypass.start'])
      } finally {
        tmux('kill-server')
      }
    }))
})
