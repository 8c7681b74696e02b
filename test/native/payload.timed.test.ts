import type { ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isBuilt, onStage, pause, reply, type Stage } from '../support/native/hook.ts'
import { untilHandled } from '../support/signal-handling.ts'

const CALL = '{"hook_event_name":"PreToolUse","tool_name":"Bash"}'
const CLOSED = ['--client', 'claude-code', '--event', 'PreToolUse', '--on-error', 'closed']
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const spooled = (stage: Stage): readonly unknown[] => {
  const folder = join(stage.home, 'state/spool')
  return readdirSync(folder).map(name => [
    name.replace(/\d+/g, 'N'),
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  ])
}

/** The daemon says what came: size and hash. */
const echo = (stage: Stage) =>
  stage.daemon((socket, { payload }) => socket.end(reply({ stdout: `${payload.length} ${hashOf(payload)}\n` })))

describe.runIf(isBuilt)('the payload arrives whole', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 1_000_000, 64 << 20])('%i bytes, to the daemon', size =>
    onStage(async stage => {
      await echo(stage)
      const input = randomBytes(size)
      expect(await stage.hook({ input })).toMatchObject({
        exitCode: 0,
        stdout: `${size} ${hashOf(input)}\n`,
        stderr: '',
      })
    }),
  )

  it.each([0, 1, 65_536, 10_000_000, (64 << 20) + 1])('%i bytes, to one-shot', size =>
    onStage(async stage => {
      await echo(stage)
      const input = randomBytes(size)
      const env = size > 64 << 20 ? {} : { SIGNALBOX_DAEMON: 'off' }
      expect(await stage.hook({ input, env })).toMatchObject({ exitCode: 0, stdout: 'one-shot\n', stderr: '' })
      expect(hashOf(readFileSync(join(stage.folder, 'data/log/stdin')))).toBe(hashOf(input))
      expect(stage.asked).toEqual([])
    }),
  )

  it('in many small pieces, slowly', () =>
    onStage(async stage => {
      await echo(stage)
      const input = randomBytes(40)
      const play = async ({ stdin }: ChildProcess) => {
        for (const byte of input) {
          stdin?.write(Buffer.from([byte]))
          await pause(10)
        }
        stdin?.end()
      }
      expect(await stage.hook({ play })).toMatchObject({ stdout: `40 ${hashOf(input)}\n` })
    }))

  it('out of a file, and no more than what is left of it', () =>
    onStage(async stage => {
      await echo(stage)
      const file = join(stage.folder, 'payload')
      writeFileSync(file, CALL)
      const open = openSync(file, 'r')
      const told = await stage.hook({ stdio: [open, 'pipe', 'pipe'], play: () => {} })
      closeSync(open)
      expect(told.stdout).toBe(`${CALL.length} ${hashOf(Buffer.from(CALL))}\n`)
    }))

  it('where there is none: /dev/null', () =>
    onStage(async stage => {
      await echo(stage)
      expect((await stage.hook({ stdio: ['ignore', 'pipe', 'pipe'], play: () => {} })).stdout).toMatch(/^0 /)
    }))

  it.each([
    ['closed stdin', '<&-', /^0 e3b0/],
    ['closed stderr', '2>&- </dev/null', /^0 e3b0/],
    ['a terminal', `</dev/ptmx`, /^0 e3b0/],
    ['a folder', '</', /^one-shot|^\{"systemMessage":.*stdin cannot be read/],
  ])('%s', (_, redirection, expected) =>
    onStage(async stage => {
      await echo(stage)
      const args = ['-c', `"$0" hook --client claude-code --event PreToolUse ${redirection}`, stage.bin]
      const told = await stage.start(args, { program: '/bin/sh' })
      expect([told.exitCode, told.stdout]).toEqual([0, expect.stringMatching(expected)])
    }),
  )

  it('closed stdout: the exit code still tells', () =>
    onStage(async stage => {
      await stage.daemon(socket => socket.end(reply({ exitCode: 2, stdout: 'x'.repeat(1_000_000) })))
      const args = ['-c', '"$0" hook --client claude-code </dev/null >&-', stage.bin]
      expect(await stage.start(args, { program: '/bin/sh' })).toMatchObject({ exitCode: 2, stdout: '', stderr: '' })
      const gone = await stage.hook({
        play: ({ stdin, stdout }) => {
          stdout?.destroy()
          stdin?.end()
        },
      })
      expect(gone.exitCode).toBe(2)
    }))
})

describe.runIf(isBuilt)('a payload that never ends', () => {
  it.each([
    ['open', 0, { systemMessage: 'signalbox: allowed without a check: no reply within 2 s' }, 'pass'],
    ['closed', 2, undefined, 'deny'],
  ])('is answered in time, and on record later: %s', (onError, exitCode, words, decision) =>
    onStage(async stage => {
      await echo(stage)
      const args = ['--client', 'claude-code', '--event', 'PreToolUse', '--on-error', onError]
      const told = await stage.hook({ args, play: ({ stdin }) => stdin?.write('{"tool_name":"Ba') })
      expect(told).toMatchObject({ exitCode, stdout: words ? `${JSON.stringify(words)}\n` : '' })
      expect(told.ms).toBeGreaterThan(1950)
      expect(told.ms).toBeLessThan(2600)
      const entry = {
        at: expect.any(Number),
        client: 'claude-code',
        event: 'PreToolUse',
        decision,
        why: 'no reply within 2 s',
      }
      expect(spooled(stage)).toEqual([['N-N.json', entry]])
    }),
  )

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('is answered at %s, by what came so far', signal =>
    onStage(async stage => {
      await echo(stage)
      let signalled = 0
      const play = async (child: ChildProcess) => {
        child.stdin?.write(CALL)
        await untilHandled(child, signal)
        await pause(150)
        signalled = performance.now()
        child.kill(signal)
      }
      const told = await stage.hook({ args: CLOSED, play })
      const tookMs = performance.now() - signalled
      expect(told).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining(`the policy denies it: ${signal}. Tell`),
      })
      expect(tookMs).toBeLessThan(800)
      expect(spooled(stage)).toMatchObject([['N-N.json', { tool: 'Bash', decision: 'deny', why: signal }]])
    }),
  )
})

describe.runIf(isBuilt)('a signal while the daemon works', () => {
  it('is answered once', () =>
    onStage(async stage => {
      let hook: ChildProcess | undefined
      await stage.daemon(async socket => {
        hook?.kill('SIGTERM')
        await pause(600)
        socket.end(reply({ stdout: 'too late\n' }))
      })
      const play = (child: ChildProcess) => {
        hook = child
        child.stdin?.end(CALL)
      }
      expect(await stage.hook({ args: CLOSED, play })).toMatchObject({ exitCode: 2, stdout: '' })
    }))
})

describe.runIf(isBuilt)('the launcher', () => {
  it('gets everything that is no hook, as it was said', () =>
    onStage(async stage => {
      for (const words of [
        ['status', '--json', 'a b'],
        ['--version'],
        ['hook', '--help'],
        ['hook', '--client', 'x', '-h'],
        [],
      ]) {
        expect(await stage.start(words, { input: 'typed' })).toMatchObject({ exitCode: 0, stdout: 'one-shot\n' })
        expect(stage.log('call')?.split('\n').slice(0, 2)).toEqual([stage.project, words.join(' ')])
        expect(stage.log('stdin')).toBe('typed')
      }
    }))

  it('is given the call where it was made, and nothing that is open', () =>
    onStage(async stage => {
      await stage.daemon(socket => socket.end(reply({ status: 2 })))
      const args = ['--client', 'claude-code', '--event', 'Pre ToolUse']
      const told = await stage.hook({ input: CALL, args, env: { SIGNALBOX_SPENT_MS: '999999' } })
      expect(told.stdout).toBe('one-shot\n')
      const [cwd, words, ...open] = stage.log('call')?.trim().split('\n') ?? []
      expect([cwd, words, stage.log('stdin')]).toEqual([
        stage.project,
        'hook --client claude-code --event Pre ToolUse',
        CALL,
      ])
      expect(open.filter(line => line.includes(stage.run))).toEqual([])
      // neither the daemon's nor the agent's: what it says goes to the hook, which waits for it
      expect(open.filter(line => line.includes('socket:'))).toEqual([])
      expect(open.find(line => line.includes(' 2 -> '))).toContain('pipe:')
      // what the agent said of the time is not passed on: at most what the hook took itself, on a busy machine
      expect(stage.spentMs()).toBeLessThanOrEqual(told.ms)
      const isSilent = () => stage.log('env')?.includes('SPENT') === false
      for (let left = 50; left > 0 && !isSilent(); left--) await stage.hook({ input: CALL, args })
      expect(isSilent()).toBe(true)
    }))

  it('is missing: the last resort answers, and no daemon is started', () =>
    onStage(async stage => {
      rmSync(stage.launcher)
      const told = await stage.hook({ input: CALL, args: CLOSED })
      expect(told).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining('the program files are missing; install Signalbox again'),
      })
      expect(await stage.hook({ input: CALL })).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('"systemMessage"'),
      })
      expect(spooled(stage)).toHaveLength(2)
    }))

  it('a spool that is full takes no more', () =>
    onStage(async stage => {
      rmSync(stage.launcher)
      await stage.hook({ input: CALL })
      const folder = join(stage.home, 'state/spool')
      for (let nth = 0; nth < 1000; nth++) writeFileSync(join(folder, `${nth}.json`), '{}')
      const before = readdirSync(folder).length
      expect(await stage.hook({ input: CALL, args: CLOSED })).toMatchObject({ exitCode: 2 })
      expect(readdirSync(folder)).toHaveLength(before)
    }))
})
