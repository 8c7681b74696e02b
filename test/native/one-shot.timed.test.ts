import type { ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderLauncher } from '../../src/app/install/program/launcher-script.ts'
import { isBuilt, onStage, reply, type Stage } from '../support/native/hook.ts'
import { isAlive, until, whereInstalled } from '../support/native/installed.ts'
import { BIN } from '../support/sandbox.ts'

/** Where no daemon answers, the launcher is started and watched: what it says is an answer only if it ends as one who answered. */
const CALL = '{"hook_event_name":"PreToolUse","tool_name":"Bash"}'
const OFF = { SIGNALBOX_DAEMON: 'off' }
const CLOSED = ['--client', 'claude-code', '--on-error', 'closed']
const refused = (why: string) => ({
  exitCode: 2,
  stdout: '',
  stderr: `signalbox: this call could not be evaluated, so the policy denies it: ${why}. Tell the user.\n`,
})
/** Not even after a time in which the busiest machine would have begun. */
const NEVER = 'exec sleep 9'
const SILENT = 'exec sleep 19'
const SLOW = 'echo yes # late'
const NO_ANSWER = 'the program ended without a reply'

const launch = (stage: Stage, ...lines: readonly string[]): void =>
  writeFileSync(stage.launcher, ['#!/bin/sh', `log='${join(stage.folder, 'data/log')}'`, ...lines, ''].join('\n'))
const judged = (stage: Stage, ...lines: readonly string[]) => {
  launch(stage, ...lines)
  return stage.hook({ input: CALL, args: CLOSED, env: OFF })
}
const numberIn = (stage: Stage, name: string): number =>
  Number(readFileSync(join(stage.folder, 'data/log', name), 'utf8'))

describe.runIf(isBuilt)('a process of its own', { timeout: 20_000 }, () => {
  const ends: Record<string, [lines: readonly string[], told: object]> = {
    'that passes': [['cat > $log/stdin', 'exit 0'], { exitCode: 0, stdout: '', stderr: '' }],
    'that refuses by exit code': [
      ['cat > $log/stdin', 'echo no >&2', 'exit 2'],
      { exitCode: 2, stdout: '', stderr: 'no\n' },
    ],
    'that says three megabytes': [
      ['cat > $log/stdin', 'head -c 3000000 /dev/zero | tr "\\0" x'],
      { exitCode: 0, stdout: 'x'.repeat(3_000_000) },
    ],
    'that leaves somebody behind, who holds its pipes': [
      ['cat > $log/stdin', 'sleep 3 &', 'echo yes'],
      { exitCode: 0, stdout: 'yes\n' },
    ],
    'that is killed, in the middle of a word': [['cat > $log/stdin', 'echo {', 'kill -9 $$'], refused(NO_ANSWER)],
    'that crashes': [['cat > $log/stdin', 'kill -SEGV $$'], refused(NO_ANSWER)],
    'with another exit code': [['cat > $log/stdin', 'echo yes', 'exit 1'], refused(NO_ANSWER)],
    'that cannot be found': [['cat > $log/stdin', 'exec /nowhere/node'], refused(NO_ANSWER)],
    'that has not read what was asked': [['echo yes'], refused(NO_ANSWER)],
    'that is a shell with a complaint': [['if'], refused(NO_ANSWER)],
    'that leaves the answer to the hook, and says why': [
      ['echo "signalbox: it is gone; install it" >&2', 'exit 3'],
      refused('it is gone; install it'),
    ],
    'that never begins': [[NEVER], refused('no reply within 2 s')],
    'that reads and never answers': [['cat > $log/stdin', SILENT], refused('no reply within 2 s')],
    'that was given more time': [
      ['cat > $log/stdin', "printf 'one\\n\\0wait 20000\\ntwo\\n' >&2", 'sleep 9.3', SLOW],
      { exitCode: 0, stdout: 'yes\n', stderr: 'one\ntwo\n' },
    ],
  }
  const longest = (lines: readonly string[]): number =>
    lines.includes(NEVER) ? 7000 : lines.includes(SILENT) ? 9800 : lines.includes(SLOW) ? 12_000 : 2900
  it.concurrent.each(Object.entries(ends))('%s', (_, [lines, expected]) =>
    onStage(async stage => {
      const told = await judged(stage, ...lines)
      expect(told).toMatchObject(expected)
      expect(told.ms).toBeLessThan(longest(lines))
    }),
  )

  const signalled = (stage: Stage, signal: NodeJS.Signals) =>
    stage.hook({
      ...{ args: CLOSED, env: OFF },
      play: async (child: ChildProcess) => {
        child.stdin?.end(CALL)
        await until(() => existsSync(join(stage.folder, 'data/log/pid')))
        child.kill(signal)
      },
    })

  it('hears the signal that the hook is sent, and may answer it', () =>
    onStage(async stage => {
      launch(stage, "trap 'echo heard; exit 0' TERM", 'cat > $log/stdin', 'echo $$ > $log/pid', 'sleep 0.2; sleep 9')
      expect(await signalled(stage, 'SIGTERM')).toMatchObject({ exitCode: 0, stdout: 'heard\n', stderr: '' })
    }))

  it('that does not care is not waited for', () =>
    onStage(async stage => {
      launch(stage, "trap '' TERM", 'cat > $log/stdin', 'echo $$ > $log/pid', 'exec sleep 9')
      const told = await signalled(stage, 'SIGTERM')
      expect(told).toMatchObject(refused('SIGTERM'))
      expect(told.ms).toBeLessThan(1500)
      await until(() => !isAlive(numberIn(stage, 'pid')), 2000)
    }))

  it.each(['SIGQUIT', 'SIGALRM', 'SIGUSR1', 'SIGUSR2', 'SIGXCPU', 'SIGPROF', 'SIGVTALRM'] as const)(
    '%s is heard as any other end',
    signal =>
      onStage(async stage => {
        launch(stage, 'cat > $log/stdin', 'echo $$ > $log/pid', 'exec sleep 9')
        expect(await signalled(stage, signal)).toMatchObject(refused(signal))
      }),
  )

  it('is gone when the hook is', () =>
    onStage(async stage => {
      launch(stage, 'cat > $log/stdin', 'echo $$ > $log/pid', 'exec sleep 9')
      expect(await signalled(stage, 'SIGKILL')).toMatchObject({ exitCode: null })
      await until(() => !isAlive(numberIn(stage, 'pid')), 2000)
    }))
})

const POLICY = `gates:
  g: { onError: closed, rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Do not push. }] }
`
const PUSH = JSON.stringify({
  ...{ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git push' } },
})

describe.runIf(isBuilt)('a no is never lost', { timeout: 30_000 }, () => {
  it('with the program gone the posture answers, and the answer is kept for the trail', () =>
    whereInstalled(POLICY, async stage => {
      await stage.hook({ input: PUSH, env: OFF })
      const data = join(stage.folder, 'data')
      writeFileSync(stage.launcher, renderLauncher(data, process.execPath))
      rmSync(join(data, 'current'))
      const told = await stage.hook({ input: PUSH, env: OFF })
      expect(told).toMatchObject(
        refused('the program files are missing; install Signalbox again and run signalbox init'),
      )
      expect(readdirSync(join(stage.state, 'spool'))).toHaveLength(1)
    }))

  it.each([{}, OFF])('where the disk is full it is said by the exit code: %o', env =>
    whereInstalled(POLICY, async stage => {
      if (env !== OFF) await stage.resident()
      const line = 'exec "$0" hook --client claude-code > /dev/full'
      const told = await stage.start(['-c', line, stage.bin], { input: PUSH, env, program: '/bin/sh' })
      expect(told).toMatchObject({
        exitCode: 2,
        stderr: 'signalbox: denied, but the reply could not be written\n',
      })
    }),
  )

  it('a program whose hooks may take longer says so to who watches it, and to nobody else', () =>
    whereInstalled(`${POLICY}hooks: [{ event: tool.before, run: "true", timeoutMs: 5000 }]\n`, async stage => {
      const ask = (env: Record<string, string>) =>
        stage.start([BIN, 'hook', '--client', 'claude-code'], { input: PUSH, env, program: process.execPath })
      expect((await ask({ ...OFF, SIGNALBOX_WATCHED: '1' })).stderr).toMatch(/^\0wait \d{4,5}\n$/)
      expect((await ask(OFF)).stderr).toBe('')
      expect((await stage.hook({ input: PUSH, env: OFF })).stderr).toBe('')
    }))

  it('and without the native hook', () =>
    whereInstalled(POLICY, async stage => {
      const line = 'exec "$0" "$1" hook --client claude-code > /dev/full'
      const words = ['-c', line, process.execPath, BIN]
      const told = await stage.start(words, { input: PUSH, env: OFF, program: '/bin/sh' })
      expect(told).toMatchObject({
        exitCode: 2,
        stderr: 'signalbox: denied, but the reply could not be written\n',
      })
    }))

  it.each([{}, OFF])('who is told to end in the middle has one record, and leaves no hook of yours behind: %o', env => {
    const mark = `left-${process.pid}-${env === OFF ? 'off' : 'on'}`
    const hooks = `hooks: [{ event: tool.before, run: "sleep 4 & echo ${mark} > pid; exec sleep 4", timeoutMs: 20000, onError: closed }]\n`
    return whereInstalled(`${POLICY}${hooks}`, async stage => {
      if (env !== OFF) await stage.resident()
      const told = await stage.hook({
        ...{ args: CLOSED, env: { ...env, LEFT_MARK: mark } },
        play: async (child: ChildProcess) => {
          child.stdin?.end(PUSH)
          await until(() => existsSync(join(stage.project, 'pid')))
          child.kill('SIGTERM')
        },
      })
      expect(told.exitCode).toBe(2)
      await until(() => carrying(`LEFT_MARK=${mark}`).length === 0, 3000)
      await stage.hook({ input: PUSH.replace('git push', 'ls').replace('Bash', 'Read'), env: OFF })
      const decided = stage.records().filter(({ name, tool }) => name === 'PreToolUse' && tool !== 'Read')
      expect(decided.map(({ decision }) => decision)).toEqual(['deny'])
    })
  })
})

/** Processes with this in their environment. */
const carrying = (variable: string): readonly string[] =>
  readdirSync('/proc').filter(pid => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable)
    } catch {
      return false
    }
  })

describe.runIf(isBuilt)('a new daemon', () => {
  const began = async (stage: Stage, seconds: number) => {
    const now = (name: string) => `date +%s%N > $log/${name}.part; mv $log/${name}.part $log/${name}`
    launch(
      stage,
      `if [ "$1" = daemon ]; then ${now('began')}; exit 0; fi`,
      ...['cat > $log/stdin', `sleep ${seconds}`, now('ended')],
    )
    await stage.hook({ input: CALL })
    await until(() => existsSync(join(stage.folder, 'data/log/began')))
    return numberIn(stage, 'began') - numberIn(stage, 'ended')
  }

  it('leaves the machine to the call that started it', () =>
    onStage(async stage => {
      expect(await began(stage, 0.2)).toBeGreaterThan(0)
    }))

  it('but not for long', () =>
    onStage(async stage => {
      expect(await began(stage, 1.2)).toBeLessThan(0)
    }))
})

describe.runIf(isBuilt)('the same place and variables, one-shot and by a daemon', { timeout: 30_000 }, () => {
  it('a folder that was deleted has the name that the shell remembers', () =>
    onStage(async stage => {
      const gone = join(stage.project, 'gone')
      const line = `mkdir '${gone}'; cd '${gone}'; rmdir '${gone}'; exec "$0" hook --client claude-code`
      const ask = (env: Record<string, string>) =>
        stage.start(['-c', line, stage.bin], { input: CALL, env, program: '/bin/sh' })
      launch(stage, 'cat > $log/stdin', 'env > $log/env')
      await stage.daemon(socket => socket.end(reply({})))
      await ask({})
      await ask(OFF)
      expect(stage.asked.map(({ cwd }) => cwd)).toEqual([gone])
      expect(stage.log('env')?.split('\n')).toContain(`SIGNALBOX_PWD=${gone}`)
      await stage.hook({ input: CALL, env: { ...OFF, SIGNALBOX_PWD: '/elsewhere' } })
      expect(stage.log('env')).not.toContain('SIGNALBOX_PWD')
    }))

  it.each([{}, OFF])('a policy there is in force: %o', env =>
    whereInstalled('', async stage => {
      const gate = 'rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Do not push. }]'
      writeFileSync(join(stage.project, 'signalbox.yaml'), `gates: { g: { ${gate} } }\n`)
      if (env !== OFF) await stage.resident()
      const there = join(stage.project, 'there')
      const line = `mkdir '${there}'; cd '${there}'; rmdir '${there}'; exec "$0" hook --client claude-code`
      const input = JSON.stringify({
        ...{ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git push' } },
      })
      const told = await stage.start(['-c', line, stage.bin], { input, env, program: '/bin/sh' })
      expect(told).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Do not push.') })
    }),
  )

  it('of a variable that is there twice the first counts', () =>
    onStage(async stage => {
      launch(stage, 'cat > $log/stdin', 'env > $log/env')
      const twice = join(stage.folder, 'twice.py')
      writeFileSync(twice, TWICE)
      const ask = (more: Record<string, string>) =>
        stage.start([twice, stage.bin], { input: CALL, env: { TWICE: 'first', ...more }, program: 'python3' })
      await ask(OFF)
      expect(stage.log('env')?.split('\n')).toContain('TWICE=first')
      await stage.daemon(socket => socket.end(reply({})))
      await ask({})
      const [asked] = stage.asked
      // the daemon takes the first (frame.ts)
      expect(asked?.env.filter(one => one.startsWith('TWICE='))).toEqual(['TWICE=first', 'TWICE=last'])
    }))
})

/** What no shell and no Node can do: the kernel does not mind. */
const TWICE = `import ctypes, os, sys
words = [sys.argv[1].encode(), b'hook', b'--client', b'claude-code', None]
env = [f'{name}={value}'.encode() for name, value in os.environ.items()] + [b'TWICE=last', None]
libc = ctypes.CDLL(None)
libc.execve(words[0], (ctypes.c_char_p * len(words))(*words), (ctypes.c_char_p * len(env))(*env))
`
