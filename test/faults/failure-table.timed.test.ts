import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { clients } from '../../src/clients/index.ts'
import { openDriver } from '../../src/store/sqlite/driver.ts'
import { DIALECTS, type Dialect } from '../support/clients/dialects.ts'
import { until } from '../support/daemon.ts'
import { BIN, type Ran, type Sandbox, withSandbox } from '../support/sandbox.ts'

/**
 * One fault a row, the real command each time, for every client, open and closed. What it answers is in `replies.json`, to the
 * letter (`UPDATE=1` writes it: read the diff). Whatever happens: never exit 1, nothing on stdout but the reply, no child left
 * behind; a prompt is never erased, a stop never looped.
 */
const ROWS = [
  'empty stdin',
  'cut-off JSON',
  '50 MB payload',
  'invalid UTF-8',
  'unknown event',
  'unknown tool',
  'missing session id',
  'hostile session id',
  'a throwing gate',
  'a hanging gate',
  'a gate that prints',
  'a hanging sub-hook',
  'a crashing sub-hook',
  'a garbage-printing sub-hook',
  'a sub-hook that leaves children behind',
  'corrupt database',
  'locked database',
  'read-only database',
  'missing database',
  'full disk',
  'unreadable policy with a last good one',
  'unreadable policy without one',
  'invalid policy with a last good one',
  'invalid policy without one',
  'deadline passed',
  'SIGTERM in the middle',
  'closed stdout',
  'no HOME',
  'read-only HOME',
] as const
type Row = (typeof ROWS)[number]
type OnError = 'open' | 'closed'

interface Scene {
  readonly sandbox: Sandbox
  readonly dialect: Dialect
  readonly client: string
  readonly onError: OnError
  /** runs the hook on a payload, in full control of the process */
  readonly run: (payload: unknown, how?: How) => Promise<Ran>
}

interface How {
  readonly env?: Record<string, string | undefined>
  readonly raw?: string | Buffer
  readonly args?: readonly string[]
  /** leaves stdin open */
  readonly hold?: boolean
  /** sends this once the sub-hook has left the file `begun` in the project */
  readonly signal?: NodeJS.Signals
  readonly closeStdout?: boolean
}

const FILE = join(import.meta.dirname, 'replies.json')
const replies: Record<string, Record<string, Record<string, unknown>>> = existsSync(FILE)
  ? JSON.parse(readFileSync(FILE, 'utf8'))
  : {}
const isRoot = process.getuid?.() === 0
const mounts: string[] = []

const policy = (onError: OnError, more = ''): string => `gates:
  g:
    initial: closed
    onError: ${onError}
    rules:
      - { while: closed, when: { event: tool.before, command: git push }, then: deny, message: Do not push. }
${more}`
const hooks = (onError: OnError, run: string, timeoutMs = 5000): string =>
  policy(
    onError,
    `hooks:\n  - { event: tool.before, run: ${JSON.stringify(run)}, timeoutMs: ${timeoutMs}, onError: ${onError} }\n`,
  )
const user = (sandbox: Sandbox, text: string) => writeFileSync(join(sandbox.home, 'signalbox.yaml'), text)
const project = (sandbox: Sandbox, text: string) => writeFileSync(join(sandbox.project, 'signalbox.yaml'), text)
const database = (sandbox: Sandbox) => join(sandbox.home, 'state/signalbox.db')

/** A file system of its own, for what root cannot be kept from doing otherwise. */
function mount(folder: string, options: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  mounts.push(folder)
}
const unmount = (folder: string) => execFileSync('umount', ['-l', folder])

/** Read-only for everybody: by a mount for root, by its mode for anybody else. */
function readOnly(folder: string, fill: () => void): void {
  if (isRoot) mount(folder, 'size=16m,mode=700')
  fill()
  if (isRoot) execFileSync('mount', ['-o', 'remount,ro', folder])
  else chmodSync(folder, 0o500)
}

const PLAY: Readonly<Record<Row, (scene: Scene) => Promise<Ran>>> = {
  'empty stdin': ({ run, dialect }) => run(null, { raw: '', args: ['--event', dialect.before] }),
  'cut-off JSON': ({ run, dialect }) => {
    const whole = JSON.stringify(dialect.call('git push'))
    return run(null, { raw: whole.slice(0, whole.length - 12), args: ['--event', dialect.before] })
  },
  '50 MB payload': ({ run, dialect }) => run({ ...dialect.call('git push'), padding: 'x'.repeat(50_000_000) }),
  'invalid UTF-8': ({ run, dialect }) => {
    const [head = '', tail = ''] = JSON.stringify(dialect.call('git push @@')).split('@@')
    return run(null, { raw: Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from(tail)]) })
  },
  'unknown event': ({ run, dialect }) => run(dialect.other),
  'unknown tool': ({ run, dialect }) => run(dialect.tool('Teleport')),
  'missing session id': ({ run, dialect }) =>
    run({ ...dialect.call('git push'), [dialect.session ?? 'session_id']: undefined }),
  'hostile session id': ({ run, dialect }) =>
    run({ ...dialect.call('git push'), [dialect.session ?? 'session_id']: '../../\0__proto__' }),
  'a throwing gate': ({ run, dialect, sandbox, onError }) => {
    writeFileSync(join(sandbox.home, 'bad.mjs'), 'export default { judge() { throw new Error("boom") } }')
    user(sandbox, `gates:\n  bad: { code: ./bad.mjs, onError: ${onError} }\n`)
    return run(dialect.call('ls'))
  },
  'a hanging gate': ({ run, dialect, sandbox, onError }) => {
    writeFileSync(join(sandbox.home, 'bad.mjs'), 'export default { judge() { for (;;); } }')
    user(sandbox, `settings: { budgetMs: 1000 }\ngates:\n  bad: { code: ./bad.mjs, onError: ${onError} }\n`)
    return run(dialect.call('ls'))
  },
  'a gate that prints': ({ run, dialect, sandbox, onError }) => {
    const noise = "process.stdout.write('noise\\n')"
    const code = `${noise}; export default { judge() { ${noise}; return { decision: 'deny', reason: 'No.' } } }`
    writeFileSync(join(sandbox.home, 'bad.mjs'), code)
    user(sandbox, `gates:\n  bad: { code: ./bad.mjs, onError: ${onError} }\n`)
    return run(dialect.call('ls'))
  },
  'a hanging sub-hook': ({ run, dialect, sandbox, onError }) => {
    // on a busy machine less than the hook's own time would be left, and the reply would say how much
    user(sandbox, `settings: { budgetMs: 30000 }\n${hooks(onError, 'sleep 600', 300)}`)
    return run(dialect.call('ls'))
  },
  'a crashing sub-hook': ({ run, dialect, sandbox, onError }) => {
    user(sandbox, hooks(onError, 'kill -SEGV $$'))
    return run(dialect.call('ls'))
  },
  'a garbage-printing sub-hook': ({ run, dialect, sandbox, onError }) => {
    user(sandbox, hooks(onError, "echo '{oops'"))
    return run(dialect.call('ls'))
  },
  'a sub-hook that leaves children behind': ({ run, dialect, sandbox, onError }) => {
    user(sandbox, hooks(onError, '(sleep 600 &) ; sleep 601 & exit 0'))
    return run(dialect.call('ls'))
  },
  'corrupt database': async ({ run, dialect, sandbox }) => {
    await run(dialect.call('ls'))
    for (const name of readdirSync(join(sandbox.home, 'state')))
      if (/-(wal|shm)$/.test(name)) rmSync(join(sandbox.home, 'state', name))
    writeFileSync(database(sandbox), 'this is no database, and long enough to be looked at as one'.repeat(100))
    return run(dialect.call('git push origin'))
  },
  'locked database': async ({ run, dialect, sandbox }) => {
    await run(dialect.call('ls'))
    const driver = openDriver(database(sandbox))
    driver.exec('BEGIN EXCLUSIVE')
    try {
      return await run(dialect.call('git push origin'))
    } finally {
      driver.exec('ROLLBACK')
      driver.close()
    }
  },
  'read-only database': async ({ run, dialect, sandbox }) => {
    const state = join(sandbox.home, 'state')
    await run(dialect.call('ls'))
    renameSync(state, `${state}-before`)
    readOnly(state, () => cpSync(`${state}-before`, state, { recursive: true }))
    return run(dialect.call('git push'))
  },
  'missing database': async ({ run, dialect, sandbox }) => {
    await run(dialect.call('ls'))
    for (const part of ['', '-wal', '-shm']) rmSync(join(sandbox.home, `state/signalbox.db${part}`), { force: true })
    return run(dialect.call('git push origin'))
  },
  'full disk': async ({ run, dialect, sandbox }) => {
    const state = join(sandbox.home, 'state')
    if (!isRoot) throw new Error('a full disk needs root to mount one')
    mount(state, 'size=64k,mode=700')
    try {
      writeFileSync(join(state, 'filler'), Buffer.alloc(64 * 1024))
    } catch {
      // full is what it should be
    }
    return run(dialect.call('git push'))
  },
  'unreadable policy with a last good one': async ({ run, dialect, sandbox, onError }) => {
    rmSync(join(sandbox.home, 'signalbox.yaml'))
    project(sandbox, policy(onError))
    await run(dialect.call('ls'))
    rmSync(join(sandbox.project, 'signalbox.yaml'))
    mkdirSync(join(sandbox.project, 'signalbox.yaml'))
    return run(dialect.call('git push origin'))
  },
  'unreadable policy without one': ({ run, dialect, sandbox }) => {
    rmSync(join(sandbox.home, 'signalbox.yaml'))
    mkdirSync(join(sandbox.project, 'signalbox.yaml'))
    return run(dialect.call('git push'))
  },
  'invalid policy with a last good one': async ({ run, dialect, sandbox, onError }) => {
    rmSync(join(sandbox.home, 'signalbox.yaml'))
    project(sandbox, policy(onError))
    await run(dialect.call('ls'))
    project(sandbox, 'gates: [')
    return run(dialect.call('git push origin'))
  },
  'invalid policy without one': ({ run, dialect, sandbox }) => {
    rmSync(join(sandbox.home, 'signalbox.yaml'))
    project(sandbox, 'gates: [')
    return run(dialect.call('git push'))
  },
  'deadline passed': ({ run, dialect }) =>
    run(dialect.call('git push'), { hold: true, args: ['--event', dialect.before] }),
  'SIGTERM in the middle': ({ run, dialect, sandbox, onError }) => {
    user(sandbox, hooks(onError, 'touch begun; sleep 600', 30_000))
    return run(dialect.call('ls'), { signal: 'SIGTERM' })
  },
  'closed stdout': ({ run, dialect }) => run(dialect.call('git push'), { closeStdout: true }),
  'no HOME': ({ run, dialect, sandbox }) =>
    run(dialect.call('git push'), { env: { HOME: undefined, SIGNALBOX_HOME: sandbox.home } }),
  'read-only HOME': async ({ run, dialect, sandbox, onError }) => {
    const home = join(sandbox.folder, 'ro')
    readOnly(home, () => {
      mkdirSync(join(home, '.config/signalbox'), { recursive: true })
      writeFileSync(join(home, '.config/signalbox/signalbox.yaml'), policy(onError))
    })
    return run(dialect.call('git push'), { env: { HOME: home, SIGNALBOX_HOME: undefined } })
  },
}

/** Processes that carry this test's mark in their environment. */
function leftBehind(mark: string): readonly string[] {
  return readdirSync('/proc').filter(pid => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`SIGNALBOX_TEST=${mark}`)
    } catch {
      return false
    }
  })
}

/** Or through the native hook, which must change nothing. */
const COMMAND = process.env.FAULTS_THROUGH ? [process.env.FAULTS_THROUGH] : [process.execPath, BIN]

function start(sandbox: Sandbox, client: string, mark: string, payload: unknown, how: How): Promise<Ran> {
  const base = {
    PATH: process.env.PATH,
    HOME: sandbox.home,
    SIGNALBOX_HOME: sandbox.home,
    SIGNALBOX_TEST: mark,
    SIGNALBOX_DAEMON: 'off',
    TMPDIR: sandbox.folder,
  }
  const env = Object.fromEntries(Object.entries({ ...base, ...how.env }).filter(([, value]) => value !== undefined))
  const input = how.raw ?? JSON.stringify(payload).replaceAll('/home/dev/proj', sandbox.project)
  return new Promise((done, fail) => {
    const [program = '', ...words] = COMMAND
    const child = spawn(program, [...words, 'hook', '--client', client, ...(how.args ?? [])], {
      cwd: sandbox.project,
      env,
    })
    let stdout = ''
    let stderr = ''
    if (how.closeStdout) child.stdout.destroy()
    else
      child.stdout.on('data', chunk => {
        stdout += chunk
      })
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    child.stdin.on('error', () => {})
    child.on('error', fail)
    child.on('close', exitCode => done({ exitCode, stdout, stderr }))
    if (how.hold) child.stdin.write(input)
    else child.stdin.end(input)
    const { signal } = how
    if (signal) void until(() => existsSync(join(sandbox.project, 'begun'))).then(() => child.kill(signal))
  })
}

/** Without what differs from run to run. */
const settled = (ran: Ran, sandbox: Sandbox): unknown => {
  const text = JSON.stringify(ran)
    .replaceAll(sandbox.project, '/home/dev/proj')
    .replaceAll(sandbox.home, '/home/dev')
    .replaceAll(sandbox.folder, '/home')
    .replace(/decision_time_ms\\":\d+/g, 'decision_time_ms\\":0')
    .replace(/(damaged|aside)[-.][0-9a-z.-]+/g, '$1-…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.-]+Z/g, '<time>')
  return JSON.parse(text)
}

afterAll(() => {
  if (process.env.UPDATE) writeFileSync(FILE, `${JSON.stringify(replies, null, 2)}\n`)
})

describe('the table', () => {
  it('has a dialect for every client, and a row for every fault', () => {
    expect(Object.keys(DIALECTS).sort()).toEqual(clients.map(client => client.id).sort())
    expect(Object.keys(PLAY)).toEqual([...ROWS])
    if (!process.env.UPDATE) expect(Object.keys(replies)).toEqual([...ROWS])
  })
})

/** All of them, unless some are named: on another Node it is the process that differs, not the words. */
const played = process.env.FAULTS_OF?.split(',') ?? Object.keys(DIALECTS)

describe.each([...ROWS])('%s', row => {
  const cases = played.flatMap(client => (['open', 'closed'] as const).map(onError => [client, onError] as const))

  it.concurrent.each(cases)('%s, %s', async (client, onError) => {
    const dialect = DIALECTS[client]
    if (!dialect) throw new Error('no dialect')
    await withSandbox({ user: policy(onError) }, async sandbox => {
      sandbox.warm()
      const mark = `${row} ${client} ${onError} ${process.pid}`.replaceAll(' ', '_')
      try {
        const run = (payload: unknown, how: How = {}) =>
          start(sandbox, client, mark, payload, { ...how, args: [...(how.args ?? []), '--on-error', onError] })
        const ran = await PLAY[row]({ sandbox, dialect, client, onError, run })
        expect([0, 2]).toContain(ran.exitCode)
        if (ran.stdout !== '')
          expect(Array.isArray(JSON.parse(ran.stdout)) || typeof JSON.parse(ran.stdout)).toBe('object')
        expect(leftBehind(mark)).toEqual([])
        const told = settled(ran, sandbox)
        if (process.env.UPDATE) {
          replies[row] = { ...replies[row], [client]: { ...replies[row]?.[client], [onError]: told } }
        }
        expect(told).toEqual(replies[row]?.[client]?.[onError])
        if (row === 'corrupt database' || row === 'full disk' || /^a (throwing|hanging) gate$/.test(row)) {
          for (const payload of [dialect.prompt, dialect.stop]) {
            const other = await run(payload)
            expect([other.exitCode, dialect.refuses(other)]).toEqual([0, false])
          }
        }
      } finally {
        for (const folder of mounts.filter(one => one.startsWith(`${sandbox.folder}/`))) unmount(folder)
      }
    })
  })
})
