import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { BIN, type Sandbox, withSandbox } from '../support/sandbox.ts'
import { isGone } from './process-gone.ts'

/** What sub-hooks started is gone when the answer is, and when there will be none. */
const CALL = JSON.stringify({
  session_id: 's',
  cwd: '/home/dev/proj',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 't1',
})
const policy = (...lines: readonly string[]) =>
  stringify({ hooks: lines.map(run => ({ event: 'tool.before', run, timeoutMs: 20_000 })) })

const pidsIn = (sandbox: Sandbox, count: number) => {
  const file = join(sandbox.project, 'pids')
  const pids = existsSync(file) ? readFileSync(file, 'utf8').trim().split(/\s+/).map(Number) : []
  return pids.length === count ? pids : undefined
}

/** A process in a session of its own that has written its number. */
const DAEMON = `setsid sh -c 'echo $$ >> pids; exec sleep 300' > /dev/null 2>&1 &`
const WRITTEN = 'until [ -s pids ]; do sleep 0.02; done'

describe.runIf(process.platform === 'linux')('a process that took a session of its own', () => {
  it.each([
    ['is ended with the hook', `${DAEMON} ${WRITTEN}`, 1],
    [
      'that holds the output does not hold up the answer',
      `setsid sh -c 'echo $$ >> pids; exec sleep 300' & ${WRITTEN}`,
      1,
    ],
    [
      'that another such one started',
      `setsid sh -c "${DAEMON.replaceAll('$', '\\$')} exit" & ${WRITTEN}; sleep 0.2`,
      1,
    ],
    ['that moved on to another parent', `(${DAEMON}); ${WRITTEN}; sleep 0.2`, 1],
  ])('%s', (_, run, count) =>
    withSandbox({ user: policy(run) }, async sandbox => {
      const start = performance.now()
      expect(await sandbox.hook('claude-code', CALL)).toEqual({ exitCode: 0, stdout: '', stderr: '' })
      expect(performance.now() - start).toBeLessThan(5000)
      expect(pidsIn(sandbox, count)?.map(isGone)).toEqual(Array(count).fill(true))
    }),
  )

  it('ends when somebody ends the hook', () =>
    withSandbox({ user: policy(`${DAEMON} ${WRITTEN}; sleep 300`) }, async sandbox => {
      const input = CALL.replaceAll('/home/dev/proj', sandbox.project)
      const ran = await sandbox.run(['hook', '--client', 'claude-code'], { input, timeoutMs: 2500 })
      expect(ran).toMatchObject({ exitCode: 0, stderr: 'signalbox: SIGTERM\n' })
      await expect.poll(() => pidsIn(sandbox, 1)?.map(isGone)).toEqual([true])
    }))
})

/** Everything in it that still runs. */
const survivors = (sandbox: Sandbox, count: number) => pidsIn(sandbox, count)?.filter(pid => !isGone(pid))

describe('a hook process that is killed outright', () => {
  const killed = async (sandbox: Sandbox, count: number, detached = false) => {
    const env = { PATH: process.env.PATH, HOME: sandbox.home, SIGNALBOX_HOME: sandbox.home }
    const child = spawn(process.execPath, [BIN, 'hook', '--client', 'claude-code'], {
      cwd: sandbox.project,
      env,
      detached,
    })
    child.stdin.end(CALL.replaceAll('/home/dev/proj', sandbox.project))
    await expect.poll(() => pidsIn(sandbox, count), { timeout: 8000 }).toBeDefined()
    process.kill(detached ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGKILL')
    await expect.poll(() => survivors(sandbox, count), { timeout: 3000 }).toEqual([])
  }

  it('takes its sub-hooks with it, and what they started', () =>
    withSandbox(
      {
        user: policy('sleep 300 & echo $! $$ >> pids; wait', 'trap "" TERM HUP; echo $$ >> pids; sleep 300; sleep 300'),
      },
      sandbox => killed(sandbox, 3),
    ))

  it('with its whole group too', () =>
    withSandbox({ user: policy('sleep 300 & echo $! $$ >> pids; wait') }, sandbox => killed(sandbox, 2, true)))

  it.runIf(process.platform === 'linux')('and sessions of their own', () =>
    withSandbox({ user: policy(`${DAEMON} sleep 300`) }, sandbox => killed(sandbox, 1)),
  )
})

describe('nothing of ours is left', () => {
  it('after an answer', () =>
    withSandbox({ user: policy('true') }, async sandbox => {
      await sandbox.hook('claude-code', CALL, { env: { LEFT: sandbox.folder } })
      const marked = await new Promise<string>(done => {
        const look = spawn('sh', ['-c', `grep -lsF "${sandbox.folder}" /proc/[0-9]*/environ; :`])
        let text = ''
        look.stdout.on('data', chunk => {
          text += chunk
        })
        look.on('close', () => done(text))
      })
      expect(marked).toBe('')
    }))
})
