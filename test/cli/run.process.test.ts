import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BIN, Sandbox } from '../support/sandbox.ts'

let sandbox: Sandbox
beforeAll(() => {
  sandbox = new Sandbox()
})
afterAll(() => rmSync(sandbox.folder, { recursive: true, force: true }))

const LINE = /^signalbox run: exit (\d+) \[[\w.-]+\]$/m
const env = () => ({ PATH: process.env.PATH, HOME: sandbox.home, SIGNALBOX_HOME: sandbox.home })
const NODE = process.execPath

/** In a new session without a terminal, as agents start their shells. */
const start = (...argv: string[]): ChildProcess =>
  spawn(NODE, [BIN, 'run', '--', ...argv], { env: env(), cwd: sandbox.project, detached: true })

const ended = (child: ChildProcess) =>
  new Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>(done => {
    let stdout = ''
    let stderr = ''
    child.stdout?.on('data', chunk => {
      stdout += chunk
    })
    child.stderr?.on('data', chunk => {
      stderr += chunk
    })
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }))
  })

const printed = (child: ChildProcess, word: string) =>
  new Promise<void>(done => child.stdout?.on('data', chunk => String(chunk).includes(word) && done()))

describe('the exit code is the command’s own', () => {
  it.each([
    [['true'], 0],
    [['false'], 1],
    [['sh', '-c', 'exit 3'], 3],
    [['sh', '-c', 'exit 255'], 255],
    [['no-such-program'], 127],
    [['./nothing'], 127],
    [[''], 127],
    [['/'], 126],
    [['./plain.txt'], 126],
    [['./odd.sh'], 126],
  ])('%j → %i', async (argv, status) => {
    writeFileSync(join(sandbox.project, 'plain.txt'), 'text')
    writeFileSync(join(sandbox.project, 'odd.sh'), '#!/no/such/interpreter\n')
    chmodSync(join(sandbox.project, 'odd.sh'), 0o755)
    const { exitCode, stdout, stderr } = await sandbox.run(['run', '--', ...argv])
    expect({ exitCode, stdout }).toEqual({ exitCode: status, stdout: '' })
    expect(LINE.exec(stderr)?.[1]).toBe(String(status))
    expect(stderr.trimEnd().split('\n').length).toBe(status > 125 && status < 128 ? 2 : 1)
  })

  it('what could not be started is said in one line', async () => {
    const { stderr } = await sandbox.run(['run', '--', 'no-such-program', 'x'])
    expect(stderr).toMatch(/^signalbox run: no-such-program: command not found\n/)
    expect((await sandbox.run(['run', '--', './plain.txt'])).stderr).toMatch(
      /^signalbox run: .\/plain.txt: not executable\n/,
    )
  })
})

describe('words are handed on as they are', () => {
  it.each([[['a b', '', '*', '$HOME', '; exit 9', "'", '"', '\\', 'ü', '--', '--help', '-h']], [['--version']]])(
    '%j',
    async words => {
      const { stdout } = await sandbox.run([
        'run',
        '--',
        NODE,
        '-p',
        'JSON.stringify(process.argv.slice(1))',
        '--',
        ...words,
      ])
      expect(JSON.parse(stdout)).toEqual(words)
    },
  )

  it('and so are the folder, the environment, stdin and descriptors', async () => {
    const options = { env: { MARK: 'x' }, input: 'typed', cwd: sandbox.home }
    const { stdout } = await sandbox.run(['run', '--', 'sh', '-c', 'pwd; echo $MARK; cat'], options)
    expect(stdout).toBe('/home/dev\nx\ntyped')
    const line = `"${NODE}" "${BIN}" run -- cat <(echo one) <(echo two)`
    expect(execFileSync('bash', ['-c', `${line} 2>/dev/null`], { env: env(), encoding: 'utf8' })).toBe('one\ntwo\n')
  })
})

describe('signals', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s reaches the command; its death is ours', async signal => {
    const child = start('sh', '-c', 'echo ready; while :; do sleep 0.05; done')
    const end = ended(child)
    await printed(child, 'ready')
    child.kill(signal)
    const { code, signal: died, stderr } = await end
    expect({ code, died }).toEqual({ code: null, died: signal })
    expect(stderr).toMatch(/exit (143|130|129) \[/)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const)(
    '%s may be handled by it',
    async signal => {
      const child = start(
        'sh',
        '-c',
        `trap 'echo got; exit 5' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`,
      )
      const end = ended(child)
      await printed(child, 'ready')
      child.kill(signal)
      expect(await end).toMatchObject({ code: 5, signal: null, stdout: 'ready\ngot\n' })
    },
  )

  it.each([
    ['SEGV', 139],
    ['ABRT', 134],
    ['PIPE', 141],
  ])('of %s it tells as a shell does', async (name, status) => {
    const { code, stderr } = await ended(start('sh', '-c', `kill -${name} $$`))
    expect(code).toBe(status)
    expect(stderr).toContain(`exit ${status} [`)
  })

  it('a command that is killed takes us with it', async () => {
    const { signal, stderr } = await ended(start('sh', '-c', 'kill -KILL $$'))
    expect(signal).toBe('SIGKILL')
    expect(stderr).toContain('exit 137 [')
  })

  it.runIf(process.platform === 'linux')('stopping and going on', async () => {
    const child = start('sh', '-c', 'echo ready $$; while [ ! -e go ]; do sleep 0.05; done; echo done')
    let out = ''
    child.stdout?.on('data', chunk => {
      out += chunk
    })
    const end = ended(child)
    await printed(child, 'ready')
    const pid = /ready (\d+)/.exec(out)?.[1]
    const stateOf = (one: string | number | undefined) =>
      /\) (\w)/.exec(readFileSync(`/proc/${one}/stat`, 'latin1'))?.[1]
    child.kill('SIGTSTP')
    await expect.poll(() => stateOf(child.pid)).toBe('T')
    child.kill('SIGCONT')
    await expect.poll(() => stateOf(child.pid)).not.toBe('T')
    await expect.poll(() => stateOf(pid)).not.toBe('T')
    writeFileSync(join(sandbox.project, 'go'), '')
    expect(await end).toMatchObject({ code: 0 })
  })
})

describe('output', () => {
  it('streams while the command runs', async () => {
    const child = start('sh', '-c', 'echo first; while [ ! -e seen ]; do sleep 0.02; done; echo last')
    const end = ended(child)
    await printed(child, 'first')
    writeFileSync(join(sandbox.project, 'seen'), '')
    expect((await end).stdout).toBe('first\nlast\n')
  })

  it('fifty megabytes come through as they are', () => {
    const code =
      'const b=Buffer.alloc(65536,"x");let n=800;const w=()=>{while(n-->0)if(!process.stdout.write(b))return process.stdout.once("drain",w)};w()'
    const { stdout, status } = spawnSync(NODE, [BIN, 'run', '--', NODE, '-e', code], { env: env(), maxBuffer: 2 ** 27 })
    expect({ status, length: stdout.length }).toEqual({ status: 0, length: 800 * 65_536 })
  })

  it('nobody who reads it is no failure', () => {
    const line = `"${NODE}" "${BIN}" run -- sh -c 'yes | head -n 100000' | head -n 1; exit "\${PIPESTATUS[1]}"`
    expect(
      execFileSync('bash', ['-c', line], { env: env(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    ).toBe('y\n')
  })

  it('a closed stderr costs only the line', () => {
    const line = `"${NODE}" "${BIN}" run -- echo fine 2>&-`
    expect(execFileSync('bash', ['-c', line], { env: env(), encoding: 'utf8' })).toBe('fine\n')
  })
})

const PTY = `
import os, pty, sys, select, time
out = b''
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
typed = sys.argv[1].encode().decode('unicode_escape').encode()
end = time.time() + 20
while time.time() < end:
    ready, _, _ = select.select([fd], [], [], 0.1)
    if not ready: continue
    try: data = os.read(fd, 4096)
    except OSError: break
    if not data: break
    out += data
    if typed and b'ready' in out:
        os.write(fd, typed); typed = b''
_, status = os.waitpid(pid, 0)
sys.stdout.write(out.decode() + '|' + str(os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)))
`
const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0

describe.runIf(hasPython)('at a terminal', () => {
  const inTerminal = (typed: string, ...argv: string[]) =>
    spawnSync('python3', ['-c', PTY, typed, ...argv], {
      env: { ...env(), TERM: 'xterm' },
      encoding: 'utf8',
    }).stdout.replaceAll('\r', '')
  const run = (...argv: string[]) => [NODE, BIN, 'run', '--', ...argv]

  it('the command sees the terminal on all three descriptors', () => {
    expect(inTerminal('', ...run('sh', '-c', '[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo all'))).toMatch(
      /^all\nsignalbox run: exit 0 \[.*\]\n\|0$/,
    )
  })

  it('and colours stay', () => {
    const code = 'console.log(process.stdout.hasColors())'
    expect(inTerminal('', ...run(NODE, '-e', code))).toContain('\u001b[33mtrue\u001b[39m\n')
  })

  it('and what is typed', () => {
    expect(inTerminal('hello\\n', ...run('sh', '-c', 'echo ready; read word; echo got $word'))).toContain('got hello\n')
  })

  it('Ctrl-C comes once', () => {
    const code =
      'let n=0;process.on("SIGINT",()=>{n++;setTimeout(()=>{console.log("times "+n);process.exit(4)},300)});console.log("ready");setInterval(()=>{},1000)'
    expect(inTerminal('\\x03', ...run(NODE, '-e', code))).toMatch(/times 1\n[\s\S]*\|4$/)
  })

  it('Ctrl-C that ends the command ends us by the same signal', () => {
    // no `sh -c 'echo ready; sleep 20'`: a Ctrl-C between the two waits for the end of the sleep
    const code = 'console.log("ready");setInterval(()=>{},1000)'
    expect(inTerminal('\\x03', ...run(NODE, '-e', code))).toMatch(/exit 130 \[.*\]\n\|-2$/)
  })
})

describe('without what it needs', () => {
  it('a state folder that cannot be made: it runs, and says why nothing is signed', async () => {
    writeFileSync(join(sandbox.folder, 'file'), '')
    for (const home of [join(sandbox.folder, 'file/x'), '/proc/nowhere']) {
      const { exitCode, stdout, stderr } = await sandbox.run(['run', '--', 'sh', '-c', 'echo out; exit 4'], {
        env: { SIGNALBOX_HOME: home },
      })
      expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: 'out\n' })
      expect(stderr).toMatch(/^signalbox run: exit 4, not signed: .+\n$/)
    }
  })

  it('no HOME', () => {
    const { status, stdout } = spawnSync(NODE, [BIN, 'run', '--', 'echo', 'fine'], {
      env: { PATH: process.env.PATH, XDG_STATE_HOME: join(sandbox.folder, 'xdg') },
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'fine\n' })
  })

  it('a database that is none', async () => {
    mkdirSync(join(sandbox.home, 'state'), { recursive: true })
    writeFileSync(join(sandbox.home, 'state/signalbox.db'), 'no database')
    expect((await sandbox.run(['run', '--', 'true'])).stderr).toMatch(LINE)
  })

  it('a folder that is gone', () => {
    const line = `mkdir gone && cd gone && rmdir ../gone && "${NODE}" "${BIN}" run -- echo fine`
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
      env: env(),
      cwd: sandbox.folder,
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'fine\n' })
    expect(stderr).toContain('exit 0, not signed')
  })
})

describe('what is no command', () => {
  it.each([
    [['run'], 2, /the command is missing; e\.g\. `signalbox run -- npm test`/],
    [['run', '--'], 2, /the command is missing/],
    [['run', 'npm', 'test'], 2, /`--` is missing in front of `npm`; e\.g\. `signalbox run -- npm test`/],
    [['run', '--verbose', '--', 'true'], 2, /unknown option `--verbose`/],
  ])('%j', async (args, exitCode, words) => {
    const ran = await sandbox.run(args)
    expect(ran.exitCode).toBe(exitCode)
    expect(ran.stderr).toMatch(words)
  })

  it('help', async () => {
    const { exitCode, stdout } = await sandbox.run(['run', '--help'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('usage  signalbox run -- <command> [argument …]')
  })
})
