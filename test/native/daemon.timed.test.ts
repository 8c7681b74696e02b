import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Behaviour,
  HOOK,
  interim,
  isBuilt,
  onStage,
  pause,
  reply,
  type Stage,
  TOKEN,
} from '../support/native/hook.ts'

const isRoot = process.getuid?.() === 0
const CALL = '{"hook_event_name":"PreToolUse","tool_name":"Bash"}'
const ANSWER = reply({ stdout: '{"a":"ä"}\n', stderr: 'a word\n' })
const answer: Behaviour = socket => socket.end(ANSWER)
const ONE_SHOT = { exitCode: 0, stdout: 'one-shot\n', stderr: '' }
const inPieces = async (socket: Socket, bytes: Buffer) => {
  for (const byte of bytes) {
    socket.write(Buffer.from([byte]))
    await pause(2)
  }
  socket.end()
}
const spoiled = (at: number, value: number): Buffer => {
  const bytes = Buffer.from(ANSWER)
  bytes[at] = value
  return bytes
}

describe.runIf(isBuilt)('the daemon answers', () => {
  it('and gets all there is to know of the call', () =>
    onStage(async stage => {
      await stage.daemon(answer)
      const told = await stage.hook({
        input: CALL,
        args: ['--client', 'claude-code', '--event', ''],
        env: { EMPTY: '', A: 'ü=\n1' },
      })
      expect(told).toMatchObject({ exitCode: 0, stdout: '{"a":"ä"}\n', stderr: 'a word\n' })
      const [{ payload, env, ...asked } = { payload: Buffer.alloc(0), env: [] }] = stage.asked
      expect(asked).toEqual({
        build: 'build-of-the-client',
        token: TOKEN,
        cwd: stage.project,
        args: ['--client', 'claude-code', '--event', ''],
      })
      expect(payload.toString()).toBe(CALL)
      expect(env).toEqual(expect.arrayContaining(['EMPTY=', 'A=ü=\n1', `HOME=${stage.home}`]))
      expect(stage.log('call')).toBeUndefined()
    }))

  const replies: Record<string, [Behaviour, object]> = {
    'at once': [answer, { exitCode: 0, stdout: '{"a":"ä"}\n', stderr: 'a word\n' }],
    nothing: [socket => socket.end(reply({})), { exitCode: 0, stdout: '', stderr: '' }],
    'a refusal by exit code': [
      socket => socket.end(reply({ exitCode: 2, stderr: 'no\n' })),
      { exitCode: 2, stdout: '', stderr: 'no\n' },
    ],
    'byte by byte': [socket => inPieces(socket, ANSWER), { exitCode: 0, stdout: '{"a":"ä"}\n', stderr: 'a word\n' }],
    'three megabytes': [
      socket => socket.end(reply({ stdout: 'x'.repeat(3_000_000) })),
      { exitCode: 0, stdout: 'x'.repeat(3_000_000) },
    ],
    'once, whatever else it says': [
      socket => socket.end(Buffer.concat([reply({ stdout: '1\n' }), reply({ stdout: '2\n' }), Buffer.from('junk')])),
      { exitCode: 0, stdout: '1\n' },
    ],
    'and stays on the line': [socket => socket.write(reply({ stdout: '1\n' })), { exitCode: 0, stdout: '1\n' }],
    'after an interim word': [
      async socket => {
        socket.write(interim(5000))
        await pause(1200)
        socket.end(ANSWER)
      },
      { exitCode: 0, stdout: '{"a":"ä"}\n' },
    ],
    'after many interim words': [
      socket => inPieces(socket, Buffer.concat([interim(3000), interim(3000), interim(4000), ANSWER])),
      { exitCode: 0, stdout: '{"a":"ä"}\n' },
    ],
  }

  it.each(Object.entries(replies))('%s', (_, [behave, expected]) =>
    onStage(async stage => {
      await stage.daemon(behave)
      expect(await stage.hook({ input: CALL })).toMatchObject(expected)
      expect(stage.log('call')).toBeUndefined()
    }),
  )

  it('is asked where the path of its folder is longer than a socket may have', () =>
    onStage(async stage => {
      const deep = join(stage.folder, 'd'.repeat(100), 'e'.repeat(100))
      mkdirSync(join(deep, 'state/run'), { recursive: true })
      chmodSync(join(deep, 'state/run'), 0o700)
      symlinkSync(join(deep, 'state'), join(stage.home, 'state'))
      await stage.daemon(answer)
      expect(await stage.hook({ input: CALL, env: { SIGNALBOX_HOME: deep } })).toMatchObject({ stdout: '{"a":"ä"}\n' })
    }))

  it.each([
    [
      'XDG_STATE_HOME',
      (stage: Stage) => ({ SIGNALBOX_HOME: '', XDG_STATE_HOME: join(stage.folder, 'xdg') }),
      'xdg/signalbox',
    ],
    ['HOME', () => ({ SIGNALBOX_HOME: undefined, XDG_STATE_HOME: 'relative' }), 'home/.local/state/signalbox'],
    ['a relative SIGNALBOX_HOME', () => ({ SIGNALBOX_HOME: '../other' }), 'other/state'],
  ])('is found by %s', (_, env, state) =>
    onStage(async stage => {
      await stage.daemon(answer)
      mkdirSync(join(stage.folder, state, '..'), { recursive: true })
      renameSync(join(stage.home, 'state'), join(stage.folder, state))
      expect(await stage.hook({ input: CALL, env: env(stage) })).toMatchObject({ stdout: '{"a":"ä"}\n' })
    }),
  )
})

describe.runIf(isBuilt)('one-shot answers, at once,', () => {
  const behaviours: Record<string, Behaviour> = {
    'where it says: another build': socket => socket.end(reply({ status: 1 })),
    'where it says: busy': socket => socket.end(reply({ status: 2 })),
    'where it says: not let in': socket => socket.end(reply({ status: 3 })),
    'where it says: cannot read that': socket => socket.end(reply({ status: 4, stdout: 'not an answer' })),
    'where it says a status that nobody knows': socket => socket.end(reply({ status: 5 })),
    'where it closes without a word': socket => socket.end(),
    'where it dies in the middle of a word': socket => socket.end(ANSWER.subarray(0, 3)),
    'where it dies in the middle of an answer': socket => socket.end(ANSWER.subarray(0, ANSWER.length - 1)),
    'where it dies after an interim word': socket => socket.end(interim(9000)),
    'where it drops the connection': socket => socket.destroy(),
    'where it says garbage': socket => socket.end('HTTP/1.1 200 OK\r\n\r\n'),
    'where it says exit code 1': socket => socket.end(reply({ exitCode: 1, stdout: 'x' })),
    'where it says exit code 255': socket => socket.end(spoiled(5, 255)),
    'where what is zero is not': socket => socket.end(spoiled(6, 1)),
    'where the answer is said to be 4 GB': socket => socket.end(spoiled(11, 255)),
    'where it is another version': socket => socket.end(spoiled(3, 0x32)),
  }

  it.each(Object.entries(behaviours))('%s', (_, behave) =>
    onStage(async stage => {
      await stage.daemon(behave)
      const told = await stage.hook({ input: CALL })
      expect(told).toMatchObject(ONE_SHOT)
      expect(stage.spentMs()).toBeLessThan(600)
      expect([stage.log('stdin'), stage.asked.length]).toEqual([CALL, 1])
    }),
  )

  it('where the daemon refuses a payload that it has not read', () =>
    onStage(async stage => {
      stage.makeRun()
      const server = await stage.daemon(() => {})
      server.on('connection', socket => socket.end(reply({ status: 2 })))
      const input = Buffer.alloc(3_000_000, 'x')
      expect(await stage.hook({ input })).toMatchObject(ONE_SHOT)
      expect(stage.log('stdin')?.length).toBe(3_000_000)
    }))

  it.each(['off', 'OFF', '0', 'no', 'False'])('SIGNALBOX_DAEMON=%s: it is not asked', word =>
    onStage(async stage => {
      await stage.daemon(answer)
      expect(await stage.hook({ input: CALL, env: { SIGNALBOX_DAEMON: word } })).toMatchObject(ONE_SHOT)
      expect(stage.asked).toEqual([])
    }),
  )

  it('where no file may grow and nobody answers: an answer all the same, and no signal', () =>
    onStage(async stage => {
      const line = 'ulimit -f 0; exec "$0" hook --client claude-code --on-error closed'
      const { exitCode } = await stage.start(['-c', line, stage.bin], { program: '/bin/sh', input: CALL })
      expect(exitCode).toBe(2)
    }))

  const places: Record<string, (stage: Stage) => unknown> = {
    'the folder is open to others': stage => chmodSync(stage.run, 0o755),
    'the state folder is open to others': stage => chmodSync(join(stage.run, '..'), 0o770),
    'the folder is a link': stage => {
      renameSync(stage.run, `${stage.run}-really`)
      symlinkSync(`${stage.run}-really`, stage.run)
    },
    'the daemon sees other files': stage => writeFileSync(join(stage.run, 'token'), `${TOKEN}\nbuild\nmnt:[1]\n`),
    'its hooks have another network': stage => writeFileSync(join(stage.run, 'token'), `${TOKEN}\n\nnet:[1]\n`),
    'it was silent a moment ago': stage => {
      const until = new Date(Date.now() + 3000)
      writeFileSync(join(stage.run, 'silent'), '')
      utimesSync(join(stage.run, 'silent'), until, until)
    },
    ...(isRoot && { 'the folder is somebody else’s': (stage: Stage) => chownSync(stage.run, 65534, 65534) }),
  }
  it.each(Object.entries(places))('where %s: the daemon is not asked, and none is started', (_, spoil) =>
    onStage(async stage => {
      await stage.daemon(answer)
      await spoil(stage)
      expect(await stage.hook({ input: CALL })).toMatchObject(ONE_SHOT)
      await pause(100)
      expect([stage.asked, stage.log('starts')]).toEqual([[], undefined])
    }),
  )

  it.runIf(isRoot)('where the daemon is another user’s, not a byte is sent', () =>
    onStage(async stage => {
      await stage.daemon(answer)
      for (const folder of [
        stage.run,
        join(stage.run, 'token'),
        join(stage.run, 'socket'),
        join(stage.folder, 'data/log'),
      ])
        chownSync(folder, 65534, 65534)
      chmodSync(stage.folder, 0o755)
      const told = await stage.hook({ input: CALL, uid: 65534 })
      expect(told).toMatchObject({ exitCode: 0, stdout: 'one-shot\n' })
      expect(stage.asked).toEqual([])
    }),
  )

  it('and in the same place it is asked', () =>
    onStage(async stage => {
      await stage.daemon(answer, { token: `${TOKEN}\nbuild\n${readlinkSync('/proc/self/ns/mnt')}\n` })
      expect(await stage.hook({ input: CALL })).toMatchObject({ stdout: '{"a":"ä"}\n' })
      expect(stage.asked[0]?.token).toBe(TOKEN)
    }))
})

describe.runIf(isBuilt)('a daemon that hangs', () => {
  it('is given 700 ms, once; then the next calls do not ask it', () =>
    onStage(async stage => {
      await stage.daemon(() => {})
      const first = await stage.hook({ input: CALL })
      expect(first).toMatchObject(ONE_SHOT)
      // by the hook's own clock: how soon the launcher then gets its turn is the machine's affair
      expect(stage.spentMs()).toBeGreaterThan(650)
      expect(stage.spentMs()).toBeLessThan(1300)
      expect(first.ms).toBeGreaterThan(stage.spentMs())
      expect(await stage.hook({ input: CALL })).toMatchObject(ONE_SHOT)
      expect(stage.spentMs()).toBeLessThan(600)
      expect([stage.asked.length, stage.log('starts')]).toEqual([1, undefined])
    }))

  it('after an interim word is waited for until then, and the last resort answers', () =>
    onStage(async stage => {
      await stage.daemon(socket => socket.write(interim(1300)))
      const told = await stage.hook({ input: CALL, args: ['--client', 'claude-code', '--on-error', 'closed'] })
      expect(told).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('no reply within 1.3 s') })
      expect(told.ms).toBeGreaterThan(1250)
      expect(told.ms).toBeLessThan(1800)
      expect(stage.log('call')).toBeUndefined()
    }))

  it('in the middle of its answer is given up too', () =>
    onStage(async stage => {
      await stage.daemon(socket => socket.write(ANSWER.subarray(0, ANSWER.length - 1)))
      expect(await stage.hook({ input: CALL })).toMatchObject(ONE_SHOT)
    }))

  it('that takes no connection any more holds nobody up', () =>
    onStage(async stage => {
      stage.makeRun()
      const code = `require('net').createServer(() => {}).listen({ path: process.argv[1], backlog: 1 }, () => console.log('up'))`
      const child = spawn(process.execPath, ['-e', code, join(stage.run, 'socket')], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      await new Promise(done => child.stdout?.once('data', done))
      child.kill('SIGSTOP')
      const waiting = Array.from({ length: 8 }, () => connect(join(stage.run, 'socket')).on('error', () => {}))
      await pause(50)
      try {
        expect(await stage.hook({ input: CALL })).toMatchObject(ONE_SHOT)
        expect(stage.spentMs()).toBeLessThan(600)
      } finally {
        for (const one of waiting) one.destroy()
        child.kill('SIGKILL')
      }
    }))
})

describe.runIf(isBuilt)('no daemon', () => {
  it('one is started with nothing of the caller’s, and one-shot answers meanwhile', () =>
    onStage(async stage => {
      const env = { SECRET: 'x', XDG_RUNTIME_DIR: '/r', LANG: 'C', NODE_OPTIONS: '' }
      expect(await stage.hook({ input: CALL, env })).toMatchObject(ONE_SHOT)
      const [cwd, words, ...rest] = (await stage.settledLog('daemon'))?.split('\n') ?? []
      expect([cwd, words]).toEqual(['/', 'daemon serve'])
      const names = stage
        .log('daemon.env')
        ?.split('\n')
        .map(line => line.split('=')[0])
        .sort()
      // what a shell adds of its own
      expect(names?.filter(name => name && !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([
        'HOME',
        'LANG',
        'PATH',
        'SIGNALBOX_HOME',
        'XDG_RUNTIME_DIR',
      ])
      const open = rest.filter(line => line.includes(' -> ')).map(line => line.replace(/^.* (\d+ -> .*)$/, '$1'))
      expect(open.filter(line => /^[02] -> /.test(line))).toEqual(['0 -> /dev/null', '2 -> /dev/null'])
      expect(open.filter(line => !line.includes(stage.folder) && !line.includes('/dev/null'))).toEqual([])
      const [parent, group, session] = rest.at(-2)?.split(' ') ?? []
      expect(Number(parent)).not.toBe(process.pid)
      expect(group).toBe(session)
    }))

  const absent: Record<string, (stage: Stage) => unknown> = {
    'the folder is not there': () => {},
    'the socket is not there': stage => stage.makeRun(),
    'nobody listens': async stage => {
      stage.makeRun()
      const code = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
      await new Promise(done => spawn(process.execPath, ['-e', code, join(stage.run, 'socket')]).on('exit', done))
      expect(existsSync(join(stage.run, 'socket'))).toBe(true)
    },
  }

  it.each(Object.entries(absent))('where %s, one of many calls starts one, and not again at once', (_, prepare) =>
    onStage(async stage => {
      await prepare(stage)
      const calls = Array.from({ length: 8 }, () => stage.hook({ input: CALL }))
      for (const told of await Promise.all(calls)) expect(told).toMatchObject(ONE_SHOT)
      await stage.hook({ input: CALL })
      await stage.settledLog('daemon')
      await pause(100)
      expect(stage.log('starts')).toBe('started\n')
      // the daemon takes the stamp away when it has answered: then a crash is no failed start
      rmSync(join(stage.run, 'start'))
      await stage.hook({ input: CALL })
      await expect.poll(() => stage.log('starts'), { timeout: 10_000 }).toBe('started\nstarted\n')
    }),
  )

  const leaving: Record<string, Behaviour> = {
    'another build': socket => socket.end(reply({ status: 1 })),
    'one that ends without a word': socket => socket.destroy(),
  }

  it.each(Object.entries(leaving))('%s is replaced', (_, behave) =>
    onStage(async stage => {
      await stage.daemon(behave)
      expect(await stage.hook({ input: CALL })).toMatchObject(ONE_SHOT)
      expect(await stage.settledLog('starts')).toBe('started\n')
    }),
  )

  it('is not asked and not started where nobody wants one', () =>
    onStage(async stage => {
      await stage.daemon(answer)
      expect(await stage.hook({ input: CALL, env: { SIGNALBOX_DAEMON: 'off' } })).toMatchObject(ONE_SHOT)
      rmSync(stage.run, { recursive: true })
      expect(await stage.hook({ input: CALL, env: { SIGNALBOX_DAEMON: 'off' } })).toMatchObject(ONE_SHOT)
      await pause(100)
      expect([stage.asked, stage.log('starts'), existsSync(stage.run)]).toEqual([[], undefined, false])
    }))

  it('cannot be started where the state cannot be written: one-shot', () =>
    onStage(async stage => {
      writeFileSync(join(stage.home, 'state'), 'no folder')
      expect(await stage.hook({ input: CALL })).toMatchObject(ONE_SHOT)
      expect(await stage.hook({ input: CALL, env: { SIGNALBOX_HOME: '/proc/nope' } })).toMatchObject(ONE_SHOT)
      await pause(100)
      expect(stage.log('starts')).toBeUndefined()
    }))
})

describe.runIf(isBuilt)('what the program needs', () => {
  it('is less than ten megabytes', () =>
    onStage(async stage => {
      let peak = ''
      let hook: ChildProcess | undefined
      await stage.daemon(async socket => {
        socket.write(interim(3000))
        await pause(100)
        // it has read and sent everything, and waits
        peak = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${hook?.pid}/status`, 'utf8'))?.[1] ?? ''
        socket.end(ANSWER)
      })
      await stage.hook({
        play: child => {
          hook = child
          child.stdin?.end(CALL.padEnd(100_000))
        },
      })
      if (!process.env.SIGNALBOX_NATIVE) expect(Number(peak)).toBeLessThan(10_000)
      expect(Number(peak)).toBeGreaterThan(0)
    }))

  it('is nothing but itself: it says its version', () =>
    onStage(async stage => {
      const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
      rmSync(stage.launcher)
      expect(await stage.start(['--version'], {})).toMatchObject({ exitCode: 0, stdout: `signalbox-hook ${version}\n` })
      expect(await stage.start(['status'], {})).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining('install Signalbox again'),
      })
      expect(existsSync(HOOK)).toBe(true)
    }))
})
