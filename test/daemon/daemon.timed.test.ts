import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodeRequest } from '../../src/hook/daemon/frame.ts'
import { queryDaemon } from '../../src/hook/daemon/index.ts'
import { openDriver } from '../../src/store/sqlite/driver.ts'
import { payloadOf } from '../support/bash-payload.ts'
import { POLICY, Running, until, withDaemon } from '../support/daemon.ts'
import { ask, frameOf, talk } from '../support/daemon-client.ts'
import { Sandbox } from '../support/sandbox.ts'
import { verifyStore } from '../support/store/verify-store.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const DENIED = {
  status: 0,
  exitCode: 0,
  stdout: expect.stringMatching(/^\{.*"permissionDecision":"deny".*Not now\..*\}\n$/),
  stderr: '',
  waits: [],
}
const PASSED = { status: 0, exitCode: 0, stdout: '', stderr: '', waits: [] }
const only = (status: number) => ({ status, exitCode: 0, stdout: '', stderr: '', waits: [] })

describe.concurrent('a daemon', { timeout: 60_000 }, () => {
  it('answers as a process of its own does, to the byte', () =>
    withDaemon(async daemon => {
      await daemon.start()
      const { sandbox } = daemon
      for (const command of ['git commit -m x', 'git status']) {
        const payload = payloadOf(command, sandbox.project)
        const spoken = await ask(daemon.state, {
          client: 'claude-code',
          payload,
          cwd: sandbox.project,
          env: daemon.env,
        })
        const other = payloadOf(command, sandbox.project, { session_id: `other ${command}` })
        const spawned = await sandbox.hook('claude-code', other)
        expect(spoken).toEqual({ status: 0, ...spawned, waits: [] })
      }
      expect(sandbox.records().map(one => one.decision)).toEqual(['deny', 'deny', 'pass', 'pass'])
      expect(sandbox.store(verifyStore)).toMatchObject({ ok: true, records: 4 })
    }))

  it('lives in a folder whose path is longer than that of a socket can be', async () => {
    const sandbox = new Sandbox({ project: POLICY })
    const deep = join(sandbox.folder, 'd'.repeat(90), 'e'.repeat(90))
    mkdirSync(deep, { recursive: true })
    const env = { PATH: process.env.PATH ?? '', HOME: sandbox.home, SIGNALBOX_HOME: deep }
    const started = await sandbox.run(['daemon', 'start', '--json'], { env })
    expect(started).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await queryDaemon(join(deep, 'state'), 'status')).toMatchObject({ answered: 0 })
    expect(await sandbox.run(['daemon', 'stop'], { env })).toMatchObject({ exitCode: 0 })
    sandbox.remove()
  })

  it('writes to files of its own, whatever links are in their place', () =>
    withDaemon(async daemon => {
      const run = join(daemon.state, 'run')
      const mine = join(daemon.sandbox.folder, 'mine')
      mkdirSync(run, { recursive: true, mode: 0o700 })
      writeFileSync(mine, '')
      for (const name of ['log', 'lock', 'token']) symlinkSync(mine, join(run, name))
      await daemon.start()
      expect(await daemon.call('git commit -m x')).toEqual(DENIED)
      expect([lstatSync(join(run, 'lock')).isFile(), lstatSync(join(run, 'token')).isFile()]).toEqual([true, true])
      // nobody else is locked out of it, and nobody but us has written to it
      const driver = openDriver(mine)
      driver.exec('BEGIN EXCLUSIVE; ROLLBACK')
      driver.close()
      expect(readFileSync(mine, 'utf8')).toBe('')
    }))

  it('is the only one, however many are started at once', () =>
    withDaemon(async daemon => {
      const all = Array.from({ length: 6 }, () => daemon.serve())
      await until(() => all.filter(one => one.exitCode === null).length === 1)
      expect(all.map(one => one.exitCode).sort()).toEqual([0, 0, 0, 0, 0, null])
      await until(() => existsSync(join(daemon.state, 'run/socket')))
      const [left] = all.filter(one => one.exitCode === null)
      expect(await queryDaemon(daemon.state, 'status')).toMatchObject({ pid: left?.pid })
      left?.kill('SIGTERM')
      await until(() => left?.exitCode === 0)
    }))

  it('that was killed is in nobody’s way', () =>
    withDaemon(async daemon => {
      await daemon.start()
      const first = daemon.child?.pid
      expect(await daemon.call('git commit -m x')).toEqual(DENIED)
      await daemon.end()
      expect(readdirSync(join(daemon.state, 'run'))).toContain('socket')
      await daemon.start()
      await until(() => daemon.log.split('serves').length === 3)
      expect((await queryDaemon(daemon.state, 'status'))?.pid).not.toBe(first)
      expect(await daemon.call('git commit -m x')).toMatchObject({ status: 0 })
      expect(daemon.sandbox.records()).toHaveLength(2)
    }))

  it('lets in who has the token, and answers for its own state folder only', () =>
    withDaemon(async daemon => {
      await daemon.start()
      expect(await daemon.call('git commit', { token: 'x'.repeat(64) })).toEqual(only(3))
      expect(await daemon.call('git commit', { token: '' })).toEqual(only(3))
      expect(await daemon.call('git commit', { env: { ...daemon.env, SIGNALBOX_HOME: '/elsewhere' } })).toEqual(only(4))
      expect(await daemon.call('git commit', { args: ['--client', 'nobody'] })).toEqual(only(4))
      expect(await daemon.call('git commit', { args: ['--client', 'generic', '--what'] })).toEqual(only(4))
      expect(await talk(daemon.state, Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toHaveLength(16)
      expect(
        await talk(daemon.state, encodeRequest({ ...frameOf(daemon.state, {}), env: { 'a\0b': 'c' } })),
      ).toHaveLength(16)
      expect(daemon.sandbox.records()).toEqual([])
    }))

  it('takes a long payload, and none over 64 MB', () =>
    withDaemon(async daemon => {
      await daemon.start()
      const { project } = daemon.sandbox
      const long = payloadOf('git commit -m x', project, { note: 'x'.repeat(4 << 20) })
      expect(await daemon.call('', { bytes: Buffer.from(long) })).toEqual(DENIED)
      const over = Buffer.alloc(12)
      over.write('SBQ1')
      over.writeUInt32LE(8, 4)
      over.writeUInt32LE((64 << 20) + 1, 8)
      expect(await talk(daemon.state, over)).toHaveLength(16)
      expect(await daemon.call('git status')).toEqual(PASSED)
    }))

  it('hears the caller’s variables, folder and programs, not its own', () =>
    withDaemon(
      async daemon => {
        await daemon.start({ CLAUDE_ROUTER_BYPASS: 'true' })
        const { project } = daemon.sandbox
        const env = { ...daemon.env, CLAUDE_ROUTER_BYPASS: 'true' }
        expect((await daemon.call('ls'))?.stdout).toContain('"deny"')
        expect((await daemon.call('ls', { env }))?.stdout).toContain('ROUTER BYPASS ACTIVE')
        expect((await daemon.call('ls'))?.stdout).toContain('"deny"')
        // a payload without a folder is from where the hook was called
        const payload = JSON.stringify({ tool_name: 'Read', tool_input: { file_path: '/x' } })
        const asked = { args: ['--client', 'generic'], bytes: Buffer.from(payload) }
        expect((await daemon.call('', { ...asked, cwd: project }))?.stdout).toContain('"block"')
        expect((await daemon.call('', { ...asked, cwd: '/' }))?.stdout).toContain('"approve"')
        expect((await daemon.call('', { ...asked, cwd: '', env: { ...daemon.env, PWD: project } }))?.stdout).toContain(
          '"block"',
        )
      },
      { project: 'use: [router-first]' },
    ))

  it('goes when there is no work', () =>
    withDaemon(async daemon => {
      await daemon.start({ SIGNALBOX_DAEMON_IDLE_MS: '400' })
      expect(await daemon.ended()).toBe(0)
      expect(daemon.log).toContain('stops: idle')
      expect(readdirSync(join(daemon.state, 'run'))).not.toContain('socket')
    }))

  it('that is told to stop answers what it has accepted, and the next one can start meanwhile', () =>
    withDaemon(
      async daemon => {
        await daemon.start()
        const slow = daemon.call('git status')
        await until(() => existsSync(join(daemon.sandbox.project, 'began')))
        expect(await queryDaemon(daemon.state, 'stop')).toMatchObject({ pid: daemon.child?.pid })
        await until(() => !existsSync(join(daemon.state, 'run/socket')))
        const next = new Running(daemon.sandbox)
        await next.start()
        expect(daemon.hasEnded).toBe(false)
        // how long it may take was said before
        expect(await slow).toEqual({ ...PASSED, waits: [32_000] })
        expect(await daemon.ended()).toBe(0)
        expect(await queryDaemon(daemon.state, 'status')).toMatchObject({ pid: next.child?.pid })
        await next.end()
        expect(daemon.sandbox.records()).toMatchObject([{ decision: 'pass' }])
      },
      { user: 'hooks: [{ event: tool.before, run: "touch began; sleep 2", timeoutMs: 30000 }]' },
    ))

  it('gives way to another build, but not in its first seconds', () =>
    withDaemon(async daemon => {
      await daemon.start()
      expect(await daemon.call('git commit', { build: 'another' })).toEqual(only(1))
      // on a machine that is very busy those seconds may be over by now
      const left = (await queryDaemon(daemon.state, 'status')) === undefined
      if (left) return expect(await daemon.ended()).toBe(0)
      expect(await daemon.call('git commit -m x')).toEqual(DENIED)
      await new Promise(done => setTimeout(done, 5100))
      expect(await daemon.call('git commit', { build: 'another' })).toEqual(only(1))
      expect(await daemon.ended()).toBe(0)
      expect(daemon.log).toContain('stops: a hook of another build called: "another"')
      expect(daemon.sandbox.records()).toHaveLength(1)
    }))

  const gone: readonly [string, (state: string) => void][] = [
    ['socket', state => rmSync(join(state, 'run/socket'))],
    ['lock', state => rmSync(join(state, 'run/lock'))],
    ['folder', state => renameSync(join(state, 'run'), join(state, 'gone'))],
    [
      'socket, which another file has replaced,',
      state => {
        rmSync(join(state, 'run/socket'))
        writeFileSync(join(state, 'run/socket'), '')
      },
    ],
  ]
  it.each(gone)('whose %s is gone goes too', (_, take) =>
    withDaemon(async daemon => {
      await daemon.start()
      take(daemon.state)
      expect(await daemon.ended()).toBe(0)
      rmSync(join(daemon.state, 'run/socket'), { force: true })
      await daemon.start()
      expect(await daemon.call('git commit -m x')).toEqual(DENIED)
    }),
  )

  it('whose program is another says so, and goes', () =>
    withDaemon(async daemon => {
      const home = join(daemon.sandbox.folder, 'program')
      mkdirSync(home)
      for (const part of ['bin', 'dist', 'packs', 'package.json'])
        cpSync(join(ROOT, part), join(home, part), { recursive: true })
      symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'))
      await daemon.start({}, join(home, 'bin/signalbox.cjs'))
      expect(await daemon.call('git commit -m x')).toEqual(DENIED)
      utimesSync(join(home, 'dist/engine.cjs'), 1, 1)
      expect(await daemon.call('git commit -m x')).toEqual(only(1))
      expect(await daemon.ended()).toBe(0)
    }))

  it('does not live in a folder that others can read, nor where it is told not to', () =>
    withDaemon(async daemon => {
      mkdirSync(join(daemon.state, 'run'), { recursive: true, mode: 0o700 })
      chmodSync(join(daemon.state, 'run'), 0o755)
      const open = daemon.serve()
      const off = daemon.serve({ SIGNALBOX_DAEMON: 'off' })
      await Promise.all([once(open, 'exit'), once(off, 'exit')])
      expect([open.exitCode, off.exitCode]).toEqual([2, 0])
      expect(readdirSync(join(daemon.state, 'run'))).toEqual(['log'])
    }))

  it('that meets an error nobody expected gives the declared answer, notes where it was, and goes', () =>
    withDaemon(
      async daemon => {
        const trap = join(daemon.sandbox.folder, 'trap.cjs')
        writeFileSync(trap, `process.on('SIGUSR2', () => setTimeout(() => { throw new Error('canary word') }, 0))`)
        await daemon.start({ NODE_OPTIONS: `--require ${trap}` })
        const call = daemon.call('git status')
        await until(() => existsSync(join(daemon.sandbox.project, 'began')))
        daemon.child?.kill('SIGUSR2')
        const reply = await call
        expect(reply).toMatchObject({ status: 0, exitCode: 2, stdout: '' })
        expect(reply?.stderr).toContain('could not be evaluated, so the policy denies it')
        expect(await daemon.ended()).toBe(0)
        expect(daemon.log).toMatch(/uncaughtException: Error at .*trap\.cjs/)
        expect(daemon.log).not.toContain('canary')
        // what was answered is what is on record, once somebody has the store
        await daemon.start()
        await daemon.call('git status', {
          args: ['--client', 'claude-code', '--event', 'Stop'],
          bytes: Buffer.from('{}'),
        })
        expect(daemon.sandbox.records()[0]).toMatchObject({ name: 'PreToolUse', tool: 'Bash', decision: 'deny' })
      },
      { user: 'hooks: [{ event: tool.before, run: "touch began; sleep 9", timeoutMs: 30000, onError: closed }]' },
    ))

  it('keeps nothing of its callers, and inherits nothing of who started it', () =>
    withDaemon(async daemon => {
      const { sandbox } = daemon
      const script = 'exec 9< /etc/hostname; exec "$0" "$@"'
      const bin = resolve(ROOT, 'bin/signalbox.cjs')
      const env = { ...daemon.env, CANARY: 'canary-environment' }
      const starter = spawn('sh', ['-c', script, process.execPath, bin, 'daemon', 'start'], {
        cwd: sandbox.project,
        env,
      })
      await once(starter, 'close')
      const status = await queryDaemon(daemon.state, 'status')
      const secret = { CANARY: 'canary-of-a-caller', TOKEN: 'canary-token' }
      await daemon.call('echo canary-payload', {
        env: { ...daemon.env, ...secret },
        bytes: Buffer.from('canary-payload'),
      })
      const of = `/proc/${status?.pid}`
      expect(readFileSync(`${of}/environ`, 'utf8')).not.toContain('canary')
      const open = readdirSync(`${of}/fd`).map(fd => linkOf(`${of}/fd/${fd}`))
      expect(open.filter(path => path === '/etc/hostname')).toEqual([])
      expect(linkOf(`${of}/cwd`)).toBe(join(daemon.state, 'run'))
      for (const name of readdirSync(join(daemon.state, 'run')).filter(one => one !== 'socket'))
        expect(readFileSync(join(daemon.state, 'run', name), 'latin1')).not.toContain('canary')
      await queryDaemon(daemon.state, 'stop')
      await until(() => !existsSync(of))
    }))

  it('answers 40 at once, each once, and all are on record', () =>
    withDaemon(async daemon => {
      await daemon.start()
      const all = await Promise.all(Array.from({ length: 40 }, () => daemon.call('git status')))
      expect(all).toEqual(Array(40).fill(PASSED))
      expect(daemon.sandbox.store(verifyStore)).toMatchObject({ ok: true, records: 40 })
    }))

  it('whose database is deleted, or damaged, under it goes on as a process of its own would', () =>
    withDaemon(async daemon => {
      await daemon.start()
      await daemon.call('git commit -m x')
      for (const part of ['', '-wal', '-shm']) rmSync(join(daemon.state, `signalbox.db${part}`))
      expect((await daemon.call('git commit -m x'))?.stdout).toContain('the stored state was missing')
      expect((await daemon.call('git commit -m x'))?.stdout).not.toContain('missing')
      const driver = openDriver(join(daemon.state, 'signalbox.db'))
      driver.prepare(`UPDATE sessions SET json = '{"id":'`).run()
      driver.close()
      expect((await daemon.call('git commit -m x'))?.stdout).toContain('damaged and has been reset')
      expect((await daemon.call('git commit -m x'))?.stdout).not.toContain('damaged')
    }))
})

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
