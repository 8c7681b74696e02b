import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodeRequest } from '../../src/hook/daemon/frame.ts'
import { queryDaemon, readDaemonLog } from '../../src/hook/daemon/index.ts'
import { openDriver } from '../../src/store/sqlite/driver.ts'
import { ask, frameOf, heard, reach } from '../support/daemon-client.ts'
import { isBuilt, pause, type Told } from '../support/native/hook.ts'
import { Installed, isAlive, ROOT, until, whereInstalled } from '../support/native/installed.ts'
import { verifyStore } from '../support/store/verify-store.ts'
import { seeded } from './kill-rounds.ts'

/**
 * What can happen to the resident path beside `kill -9` (`killed.test.ts`) and a daemon that misbehaves (`daemon.test.ts`): the real hook, daemon and
 * database, one fault a case. Whatever happens: `git push` is refused, and what was answered is on record unless nothing can be written.
 */
const POLICY = `
gates:
  g:
    onError: closed
    rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Do not push. }]
`
let nth = 0
const payload = (stage: Installed, command: string, more: object = {}): string =>
  JSON.stringify({
    ...{
      session_id: 's',
      cwd: stage.project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
    },
    ...{ tool_use_id: `toolu_${nth++}`, ...more },
  })
const hook = (stage: Installed, command = 'git push', how: object = {}): Promise<Told> =>
  stage.hook({ input: payload(stage, command), ...how })

const deny = (reason: string) => ({
  exitCode: 0,
  stderr: '',
  stdout: expect.stringMatching(new RegExp(`^\\{.*"permissionDecision":"deny".*${reason}.*\\}\\n$`)),
})
const DENIED = deny('Do not push')
const PASSED = { exitCode: 0, stdout: '', stderr: '' }
const verified = { ok: true, problems: [] }
/** the chain goes on, and what it lost stays told */
const wentWith = (last: number) => ({
  ok: false,
  problems: [{ seq: last, problem: `records up to ${last} were in an earlier database, as record ${last + 1} says` }],
})
const log = (stage: Installed): string => readDaemonLog(join(stage.run, 'log'), { last: 1000 }).join('\n')
const answeredBy = async (stage: Installed): Promise<number | undefined> =>
  (await queryDaemon(stage.state, 'status'))?.answered

const isRoot = process.getuid?.() === 0
/** New namespaces and mounts: not everybody may. */
const canUnshare = isRoot && spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0
if (!canUnshare) console.warn('no root, or no namespaces here: full disk, sandbox and container are skipped')

describe.runIf(isBuilt)('the folder of the daemon', { timeout: 60_000 }, () => {
  it('socket deleted: the call is answered, the daemon goes, its successor answers', () =>
    whereInstalled(POLICY, async stage => {
      const pid = await stage.resident()
      rmSync(join(stage.run, 'socket'))
      expect(await hook(stage)).toMatchObject(DENIED)
      await until(() => !isAlive(pid))
      // whoever finds nobody starts the next one, which may have come too early for the lock
      rmSync(join(stage.run, 'start'), { force: true })
      expect(await hook(stage)).toMatchObject(DENIED)
      const next = await stage.resident({}, { patienceMs: 3000 })
      expect(next).not.toBe(pid)
      expect(await hook(stage)).toMatchObject(DENIED)
      // one that was started too finds the lock taken, and ends
      await until(() => stage.daemons().length === 1)
      expect(stage.daemons()).toEqual([next])
      expect(await answeredBy(stage)).toBeGreaterThan(0)
      expect(stage.records()).toHaveLength(3)
    }))

  it('open to others: hooks do not ask, one-shot answers, none is started; closed again, it is asked again', () =>
    whereInstalled(POLICY, async stage => {
      const pid = await stage.resident()
      for (const mode of [0o755, 0o770, 0o707]) {
        chmodSync(stage.run, mode)
        expect(await hook(stage)).toMatchObject(DENIED)
      }
      expect([await answeredBy(stage), stage.daemons()]).toEqual([0, [pid]])
      chmodSync(stage.run, 0o700)
      expect(await hook(stage)).toMatchObject(DENIED)
      expect(await answeredBy(stage)).toBe(1)
      expect(stage.records()).toHaveLength(4)
    }))

  it('for nobody (000): root goes on as before, anybody else goes one-shot', () =>
    whereInstalled(POLICY, async stage => {
      await stage.resident()
      chmodSync(stage.run, 0)
      expect(await hook(stage)).toMatchObject(DENIED)
      chmodSync(stage.run, 0o700)
      expect(await answeredBy(stage)).toBe(isRoot ? 1 : 0)
      expect(stage.records()).toHaveLength(1)
    }))

  it('the state folder open to others: every call is denied, and the folder is left as it is', () =>
    whereInstalled(POLICY, async stage => {
      await stage.resident()
      await hook(stage)
      chmodSync(stage.state, 0o777)
      const isRefused = { exitCode: 2, stdout: '' }
      // others may have put something there: a person has to look
      expect(await hook(stage)).toMatchObject(isRefused)
      expect(await hook(stage, 'ls')).toMatchObject(isRefused)
      expect(await hook(stage, 'ls', { env: { SIGNALBOX_DAEMON: 'off' } })).toMatchObject(isRefused)
      expect(statSync(stage.state).mode & 0o777).toBe(0o777)
    }))
})

describe.runIf(isBuilt)('the database under a running daemon', { timeout: 60_000 }, () => {
  const file = (stage: Installed) => join(stage.state, 'signalbox.db')
  /** Else all there is may be in its log, and what happens to the file does no harm. */
  const emptyLog = (stage: Installed) => {
    const driver = openDriver(file(stage))
    driver.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    driver.close()
  }
  const MISSING = /the stored state was missing/
  const DAMAGED = /the stored state was damaged and was moved to/
  const LOST = /the stored state was (missing|damaged)/
  const NOTHING = /^$/
  const faults: Record<string, [(stage: Installed) => void, RegExp]> = {
    deleted: [stage => ['', '-wal', '-shm'].map(part => rmSync(file(stage) + part, { force: true })), MISSING],
    'deleted, but for its log': [stage => rmSync(file(stage)), MISSING],
    'cut, while all is in its log': [stage => truncateSync(file(stage), 100), NOTHING],
    'overwritten, while all is in its log': [stage => writeFileSync(file(stage), 'garbage '.repeat(2000)), NOTHING],
    'emptied, while all is in its log': [stage => truncateSync(file(stage), 0), NOTHING],
    'its log deleted': [stage => rmSync(`${file(stage)}-wal`), NOTHING],
    cut: [
      stage => {
        emptyLog(stage)
        truncateSync(file(stage), 5000)
      },
      DAMAGED,
    ],
    emptied: [
      stage => {
        emptyLog(stage)
        truncateSync(file(stage), 0)
      },
      LOST,
    ],
    'overwritten with garbage': [
      stage => {
        emptyLog(stage)
        writeFileSync(file(stage), 'garbage '.repeat(2000))
      },
      DAMAGED,
    ],
    'replaced by garbage': [
      stage => {
        emptyLog(stage)
        rmSync(file(stage))
        writeFileSync(file(stage), 'garbage '.repeat(2000))
      },
      DAMAGED,
    ],
  }
  it.each(Object.entries(faults))('%s: every call is judged; what is lost is told and on record', (_, [spoil, says]) =>
    whereInstalled(POLICY, async stage => {
      await stage.resident()
      for (let left = 2; left > 0; left--) expect(await hook(stage)).toMatchObject(DENIED)
      spoil(stage)
      const alone = { env: { SIGNALBOX_DAEMON: 'off' } }
      const told = [await hook(stage), await hook(stage), await hook(stage, 'git push', alone), await hook(stage, 'ls')]
      for (const one of told.slice(0, 3)) expect(one).toMatchObject(DENIED)
      expect(told[3]).toMatchObject(PASSED)
      const messages = told.flatMap(({ stdout }) => (stdout ? (JSON.parse(stdout).systemMessage ?? []) : []))
      expect(messages.filter(one => one.includes('stored state')).join('\n')).toMatch(says)
      const names = stage.records().map(({ name, decision }) => `${name} ${decision}`)
      const since = ['PreToolUse deny', 'PreToolUse deny', 'PreToolUse deny', 'PreToolUse pass']
      const before = says === NOTHING ? ['PreToolUse deny', 'PreToolUse deny'] : ['store.reset pass']
      expect(names).toEqual([...before, ...since])
      expect(stage.store(verifyStore)).toMatchObject(says === NOTHING ? verified : wentWith(2))
    }),
  )

  it('its log cut: what only the daemon knew is lost, and that is told and on record', () =>
    whereInstalled(POLICY, async stage => {
      await stage.resident()
      for (let left = 2; left > 0; left--) await hook(stage)
      truncateSync(`${file(stage)}-wal`, 0)
      const alone = { env: { SIGNALBOX_DAEMON: 'off' } }
      const told = [await hook(stage), await hook(stage, 'git push', alone), await hook(stage)]
      for (const one of told) expect(one).toMatchObject(DENIED)
      expect(told.map(({ stdout }) => stdout).join('')).toMatch(DAMAGED)
      expect(stage.records()[0]?.name).toBe('store.reset')
      // the daemon put one more on record before anybody could know
      expect(stage.store(verifyStore)).toMatchObject(wentWith(3))
    }))
})

/** Ten minutes of leave after the tests; a clock that can be set. */
const TIMED = `
gates:
  window:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { from: open, to: closed, when: { since: { opened: { seconds: 600 } } } }
    rules: [{ while: closed, when: { event: tool.before, command: git commit }, then: deny, message: Test first. }]
`
const HOUR = 3_600_000

describe.runIf(isBuilt)('the clock of the machine', { timeout: 60_000 }, () => {
  it('jumps: deadlines and idle time go on, a gate neither opens nor stays open, the chain holds', () =>
    whereInstalled(TIMED, async stage => {
      const shift = join(stage.folder, 'shift')
      const trap = join(stage.folder, 'clock.cjs')
      writeFileSync(
        trap,
        `const { readFileSync } = require('node:fs'), now = Date.now
         Date.now = () => now() + Number(readFileSync(${JSON.stringify(shift)}, 'utf8'))`,
      )
      const set = (ms: number) => writeFileSync(shift, String(ms))
      set(0)
      const pid = await stage.resident({ NODE_OPTIONS: `--require ${trap}`, SIGNALBOX_DAEMON_IDLE_MS: '30000' })
      // not by the hook, which might leave it to a process with another clock
      const say = (text: string) =>
        ask(stage.state, { client: 'claude-code', payload: text, cwd: stage.project, env: stage.env })
      const commit = async () => {
        await say(payload(stage, 'ls'))
        const told = await say(payload(stage, 'git commit -m x'))
        expect(told).toMatchObject({ status: 0, exitCode: 0, stderr: '' })
        return told?.stdout === '' ? 'pass' : 'deny'
      }
      const test = () => {
        const ended = { hook_event_name: 'PostToolUse', tool_response: { stdout: '', exitCode: 0 } }
        return say(payload(stage, 'npm test', ended))
      }
      expect(await commit()).toBe('deny')
      await test()
      expect(await commit()).toBe('pass')
      // forward: its time is over
      set(11 * 60_000)
      expect(await commit()).toBe('deny')
      await test()
      // back by a day: it has its ten minutes, and not a day more
      set(-24 * HOUR)
      expect(await commit()).toBe('pass')
      set(-24 * HOUR + 11 * 60_000)
      expect(await commit()).toBe('deny')
      // to and fro: what is closed stays closed
      for (const ms of [24 * HOUR, -48 * HOUR, 0, 2 * HOUR, -2 * HOUR]) {
        set(ms)
        expect(await commit()).toBe('deny')
      }
      set(0)
      await test()
      expect(await commit()).toBe('pass')
      expect(stage.daemons()).toEqual([pid])
      expect(stage.store(verifyStore)).toMatchObject({ ...verified, records: 25 })
      expect(await answeredBy(stage)).toBe(25)
    }))

  it('was ahead when nobody could start a daemon, or one was silent: that is forgotten', () =>
    whereInstalled(POLICY, async stage => {
      const ahead = new Date(Date.now() + HOUR)
      await stage.resident()
      for (const stamp of ['silent', 'start']) {
        writeFileSync(join(stage.run, stamp), '')
        utimesSync(join(stage.run, stamp), ahead, ahead)
      }
      expect(await hook(stage)).toMatchObject(DENIED)
      expect(await answeredBy(stage)).toBe(1)
    }))
})

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

describe.runIf(isBuilt)('who else comes to the door', { timeout: 60_000 }, () => {
  it('fifty who say nothing, and one who sends 64 MB slowly: others are answered, and those are shown out', () =>
    whereInstalled(POLICY, async stage => {
      await stage.resident()
      await hook(stage)
      const silent = Array.from({ length: 50 }, () => heard(reach(stage.state), 20_000, () => {}))
      const frame = encodeRequest(frameOf(stage.state, { bytes: Buffer.alloc(64 << 20) }))
      const slow = reach(stage.state)
      let at = 0
      const sending = setInterval(() => {
        if (!slow.destroyed) slow.write(frame.subarray(at, at + (128 << 10)))
        at += 128 << 10
      }, 20)
      const shown = heard(slow, 20_000, () => {})
      const took: number[] = []
      for (let left = 20; left > 0; left--) {
        const told = await hook(stage)
        expect(told).toMatchObject(DENIED)
        took.push(told.ms)
        await pause(50)
      }
      // that nobody waited for those is counted below: by a daemon, each of them
      expect(median(took)).toBeLessThan(600)
      const cannot = (bytes: Buffer) => [bytes.toString('latin1', 0, 4), bytes[4], bytes.length]
      expect((await Promise.all(silent)).map(cannot)).toEqual(Array(50).fill(['SBR1', 4, 16]))
      expect(cannot(await shown)).toEqual(['SBR1', 4, 16])
      clearInterval(sending)
      slow.destroy()
      expect(at).toBeLessThan(frame.length)
      expect(await answeredBy(stage)).toBe(21)
      expect(stage.records()).toHaveLength(21)
    }))

  it('three hundred frames of garbage: none is answered or on record, and the daemon is well', () =>
    whereInstalled(POLICY, async stage => {
      const pid = await stage.resident()
      const random = seeded(7)
      const whole = encodeRequest(frameOf(stage.state, { client: 'claude-code', payload: payload(stage, 'git push') }))
      const garbage = () => {
        const bytes = Buffer.from(random() < 0.3 ? whole.subarray(0, random() * whole.length) : whole)
        for (let left = 1 + random() * 6; left > 0; left--)
          bytes[random() * Math.min(bytes.length, 90)] = random() * 256
        return random() < 0.2 ? Buffer.from(Array.from({ length: random() * 400 }, () => random() * 256)) : bytes
      }
      for (let left = 300; left > 0; left--) {
        const told = await heard(reach(stage.state), 5000, socket => socket.end(garbage()))
        // with a lucky hit it is a request with a wrong token
        expect(['', 'SBR1 3', 'SBR1 4']).toContain(told.length ? `${told.toString('latin1', 0, 4)} ${told[4]}` : '')
      }
      expect(await hook(stage)).toMatchObject(DENIED)
      expect([stage.daemons(), await answeredBy(stage), stage.records().length]).toEqual([[pid], 1, 1])
    }))

  it('five thousand sessions: the last are answered as soon as the first, and memory stays', { timeout: 120_000 }, () =>
    whereInstalled(POLICY, async stage => {
      await stage.resident()
      const took: number[] = []
      const call = async (session: number) => {
        const own = { session_id: `session ${session}` }
        const began = performance.now()
        const said = {
          client: 'claude-code',
          payload: payload(stage, 'git push', own),
          cwd: stage.project,
          env: stage.env,
        }
        expect((await ask(stage.state, said))?.stdout).toContain('Do not push')
        took.push(performance.now() - began)
      }
      for (let session = 0; session < 300; session++) await call(session)
      const first = median(took.slice(100))
      const before = (await queryDaemon(stage.state, 'status'))?.rss ?? 0
      for (let session = 300; session < 5000; session++) await call(session)
      const last = median(took.slice(-200))
      const after = (await queryDaemon(stage.state, 'status'))?.rss ?? 0
      console.info(`first ${first.toFixed(2)} ms, last ${last.toFixed(2)} ms, ${before >> 20} MB, ${after >> 20} MB`)
      expect(last).toBeLessThan(2 * first + 1)
      expect(after - before).toBeLessThan(40 << 20)
      // the first is still known
      await call(0)
      expect(stage.store(verifyStore)).toMatchObject({ ...verified, records: 5001 })
    }),
  )
})

describe.runIf(isBuilt)('a machine that is too busy', { timeout: 60_000 }, () => {
  it('for a process of its own to be there in time: the payload was kept for it, and is judged, if late', () =>
    whereInstalled(POLICY, async stage => {
      await stage.resident()
      await hook(stage)
      const slow = join(stage.folder, 'slow.cjs')
      writeFileSync(slow, 'for (const end = Date.now() + 2200; Date.now() < end; );')
      const env = { SIGNALBOX_DAEMON: 'off', NODE_OPTIONS: `--require ${slow}` }
      expect(await hook(stage, 'ls', { env })).toMatchObject(PASSED)
      expect(await hook(stage, 'git push', { env })).toMatchObject(DENIED)
      expect(stage.records().map(({ decision }) => decision)).toEqual(['deny', 'pass', 'deny'])
    }))
})

describe.runIf(isBuilt)('two versions at once', { timeout: 60_000 }, () => {
  /** The same program with another number. */
  function otherBuild(folder: string): string {
    const own = readFileSync(join(ROOT, 'dist/build'), 'utf8').trim()
    const other = own.replace(/^./, one => (one === '0' ? '1' : '0'))
    for (const part of ['bin', 'dist', 'packs', 'package.json'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const name of readdirSync(join(folder, 'dist')))
      if (/^build$|\.c?js$/.test(name)) {
        const file = join(folder, 'dist', name)
        writeFileSync(file, readFileSync(file, 'latin1').replaceAll(own, other), 'latin1')
      }
    return other
  }

  it('take turns: no call is lost, and no daemon is started each time; then the one that is used wins', () =>
    whereInstalled(POLICY, async stage => {
      const program = join(stage.folder, 'program')
      const build = otherBuild(program)
      const other = new Installed(POLICY, program)
      try {
        const turn = (one: number) => hook(stage, 'git push', one % 2 ? { program: other.bin } : {})
        const before = nth
        await stage.resident()
        for (let one = 0; one < 24; one++) expect(await turn(one)).toMatchObject(DENIED)
        expect(log(stage).split('serves').length - 1).toBeLessThanOrEqual(2)
        // past its first seconds the one that is there gives way
        await pause(5200)
        for (let left = 40; left > 0; left--) {
          rmSync(join(stage.run, 'start'), { force: true })
          expect(await turn(1)).toMatchObject(DENIED)
          if ((await queryDaemon(stage.state, 'status'))?.build === build) break
          await pause(100)
        }
        expect(await queryDaemon(stage.state, 'status')).toMatchObject({ build })
        await until(() => stage.daemons().length === 1)
        expect(stage.records().length).toBe(nth - before)
        expect(stage.records().every(({ decision }) => decision === 'deny')).toBe(true)
        expect(stage.store(verifyStore)).toMatchObject(verified)
      } finally {
        other.end()
      }
    }))
})

describe.runIf(isBuilt && canUnshare)('a caller in another place', { timeout: 60_000 }, () => {
  const inside = (stage: Installed, how: readonly string[], script = 'exec "$@"', command = 'git push') =>
    stage.start([...how, 'sh', '-c', script, 'sh', stage.bin, 'hook', '--client', 'claude-code'], {
      input: payload(stage, command),
      program: 'unshare',
    })
  const READ_ONLY = 'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" && exec "$@"'

  it.each(['closed', 'open'])(
    'a sandbox in which the state cannot be written: judged by what was written last, %s',
    onError =>
      whereInstalled(POLICY.replace('onError: closed', `onError: ${onError}`), async stage => {
        const pid = await stage.resident()
        await hook(stage)
        const told = await inside(stage, ['--mount'], READ_ONLY, 'ls')
        expect(told).toMatchObject({
          exitCode: 0,
          stdout: expect.stringContaining('the database cannot be written: it is read-only'),
        })
        expect(await inside(stage, ['--mount'], READ_ONLY)).toMatchObject(DENIED)
        expect([stage.daemons(), stage.records().length]).toEqual([[pid], 1])
      }),
  )

  const containers: Record<string, readonly string[]> = {
    'other files': ['--mount'],
    'other processes': ['--pid', '--fork'],
    'other files and processes': ['--mount', '--pid', '--fork', '--mount-proc'],
  }
  it.each(Object.entries(containers))(
    'a container with %s: does not ask the daemon, nor start one; the same truth',
    (_, how) =>
      whereInstalled(POLICY, async stage => {
        const pid = await stage.resident()
        await hook(stage)
        const told = await inside(stage, how)
        expect({ ...told, stderr: '' }).toMatchObject(DENIED)
        await hook(stage)
        expect([stage.daemons(), await answeredBy(stage)]).toEqual([[pid], 2])
        expect(stage.records().map(({ decision }) => decision)).toEqual(['deny', 'deny', 'deny'])
        expect(stage.store(verifyStore)).toMatchObject(verified)
      }),
  )

  it('a container in which users have other numbers: a decided answer, and one truth', () =>
    whereInstalled(POLICY, async stage => {
      await stage.resident()
      await hook(stage)
      for (const how of [['--user'], ['--user', '--map-root-user'], ['--user', '--mount', '--pid', '--fork']])
        expect({ ...(await inside(stage, how)), stderr: '' }).toMatchObject(DENIED)
      expect(stage.records()).toHaveLength(4)
      expect(stage.store(verifyStore)).toMatchObject(verified)
    }))

  it('a full disk: judged by what is known, and nothing recorded; with room again all is as it was', () =>
    whereInstalled(POLICY, async stage => {
      mkdirSync(stage.state, { mode: 0o700 })
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=700', 'tmpfs', stage.state])
      stage.mounts.push(stage.state)
      const pid = await stage.resident()
      for (let left = 3; left > 0; left--) expect(await hook(stage)).toMatchObject(DENIED)
      const filler = join(stage.state, 'filler')
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k'])
      const told: Told[] = []
      // what is left of a page here and there is soon used up
      for (let left = 12; left > 0; left--) told.push(await hook(stage))
      for (const { exitCode, stdout } of told) {
        expect(exitCode).toBe(0)
        expect(stdout).toContain('Do not push')
      }
      expect(told.filter(({ stdout }) => stdout.includes('the disk is full'))).toHaveLength(1)
      rmSync(filler)
      expect(await hook(stage)).toMatchObject(DENIED)
      expect(stage.daemons()).toEqual([pid])
      expect(stage.records().filter(({ name }) => name === 'store.gap')).toHaveLength(1)
      expect(stage.records().length).toBeLessThan(4 + told.length)
      expect(stage.store(verifyStore)).toMatchObject(verified)
    }))
})
