import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { openDriver } from '../../src/store/sqlite/driver.ts'
import { BIN, type Ran, type Sandbox, withSandbox } from '../support/sandbox.ts'

/** One event that comes to several processes: what its sub-hooks do happens once. */
const CLIENT = 'claude-code'
const call = (more: object = {}) =>
  JSON.stringify({
    session_id: 's',
    cwd: '/home/dev/proj',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 't1',
    ...more,
  })
const policy = (run: string, more: object = {}, settings: object = {}) =>
  stringify({ hooks: [{ event: 'tool.before', run, ...more }], settings })
const linesIn = (sandbox: Sandbox, name: string) => {
  const file = join(sandbox.project, name)
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}
const hook = (sandbox: Sandbox, more: object = {}) => sandbox.hook(CLIENT, call(more))
const timed = async (work: Promise<Ran>) => {
  const start = performance.now()
  return { ...(await work), ms: performance.now() - start }
}
const messageOf = (ran: Ran | undefined) => JSON.parse(ran?.stdout ?? '{}').systemMessage

const damage = (sandbox: Sandbox) => {
  const driver = openDriver(join(sandbox.home, 'state/signalbox.db'))
  driver.prepare("UPDATE sessions SET json = '{'").run()
  driver.close()
}

/** The hook as a process of its own, to be ended in the middle. */
function start(sandbox: Sandbox, payload: string) {
  const env = { PATH: process.env.PATH, HOME: sandbox.home, SIGNALBOX_HOME: sandbox.home }
  const child = spawn(process.execPath, [BIN, 'hook', '--client', CLIENT], { cwd: sandbox.project, env })
  child.stdin.end(payload.replaceAll('/home/dev/proj', sandbox.project))
  return child
}

describe('an event that comes to several processes at once', () => {
  it.each([
    ['that passes', 'echo x >> ran; sleep 0.4', ''],
    ['that is refused', 'echo x >> ran; sleep 0.4; echo no >&2; exit 2', 'deny'],
    ['whose hooks fail', 'echo x >> ran; sleep 0.4; exit 1', ''],
  ])('%s runs its hooks once and gets one answer', (_, run, decision) =>
    withSandbox({ user: policy(run) }, async sandbox => {
      const replies = await Promise.all(Array.from({ length: 4 }, () => hook(sandbox)))
      expect(linesIn(sandbox, 'ran')).toBe(1)
      expect(new Set(replies.map(reply => JSON.stringify(reply))).size).toBe(1)
      const [first] = replies
      expect(first).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining(decision) })
      expect(sandbox.records()).toHaveLength(1)
      expect(await hook(sandbox)).toEqual(first)
      expect(linesIn(sandbox, 'ran')).toBe(1)
    }),
  )

  it('is judged alone: another event does not wait for it', () =>
    withSandbox({ user: policy('echo x >> ran; sleep 0.4') }, async sandbox => {
      await Promise.all(['t1', 't2', 't3'].map(tool_use_id => hook(sandbox, { tool_use_id })))
      expect(linesIn(sandbox, 'ran')).toBe(3)
    }))

  it('without an identity is as many events', () =>
    withSandbox({ user: policy('echo x >> ran; sleep 0.2') }, async sandbox => {
      await Promise.all(Array.from({ length: 2 }, () => hook(sandbox, { tool_use_id: undefined })))
      expect(linesIn(sandbox, 'ran')).toBe(2)
    }))

  it('runs them once for a damaged session too, and says so', () =>
    withSandbox({ user: policy('echo x >> ran; sleep 0.2') }, async sandbox => {
      await hook(sandbox, { tool_use_id: 't0' })
      damage(sandbox)
      const [one, ...others] = await Promise.all(Array.from({ length: 3 }, () => hook(sandbox)))
      expect(linesIn(sandbox, 'ran')).toBe(2)
      expect(messageOf(one)).toContain('stored state was damaged')
      expect(others).toEqual([one, one])
    }))

  it('and what a gate had seen is not known then', () => {
    const rule = { while: 'closed', when: { event: 'tool.before' }, then: 'deny', message: 'Begin anew.' }
    const user = stringify({
      hooks: [{ event: 'tool.before', run: 'true' }],
      gates: { g: { initial: 'open', onError: 'closed', rules: [rule] } },
    })
    return withSandbox({ user }, async sandbox => {
      expect(await hook(sandbox, { tool_use_id: 't0' })).toMatchObject({ stdout: '' })
      damage(sandbox)
      const { stdout } = await hook(sandbox)
      expect(JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason).toBe('Begin anew.')
    })
  })
})

describe('a process that dies while it asks', () => {
  const dying = async (sandbox: Sandbox, waiting: () => Promise<Ran & { ms: number }>) => {
    const child = start(sandbox, call())
    await expect.poll(() => linesIn(sandbox, 'ran'), { timeout: 8000 }).toBe(1)
    const second = waiting()
    await new Promise(done => setTimeout(done, 300))
    child.kill('SIGKILL')
    return second
  }

  it('is followed by the next, which gives the answer', () =>
    withSandbox(
      { user: policy('echo x >> ran; [ -e go ] || sleep 30; echo no >&2; exit 2', { timeoutMs: 20_000 }) },
      async sandbox => {
        const second = await dying(sandbox, () => {
          writeFileSync(join(sandbox.project, 'go'), '')
          return timed(hook(sandbox))
        })
        expect(JSON.parse(second.stdout).hookSpecificOutput.permissionDecisionReason).toBe('no')
        expect(second.ms).toBeLessThan(8000)
        expect([linesIn(sandbox, 'ran'), sandbox.records().length]).toEqual([2, 1])
      },
    ))

  it('is followed by one only, of those who wait', () =>
    withSandbox(
      { user: policy('echo x >> ran; [ -e go ] || sleep 30; sleep 0.3; echo no >&2; exit 2', { timeoutMs: 20_000 }) },
      async sandbox => {
        const others: Promise<Ran>[] = []
        const second = await dying(sandbox, () => {
          writeFileSync(join(sandbox.project, 'go'), '')
          others.push(...Array.from({ length: 4 }, () => hook(sandbox)))
          return timed(hook(sandbox))
        })
        expect((await Promise.all(others)).map(({ stdout }) => stdout)).toEqual(Array(4).fill(second.stdout))
        expect([linesIn(sandbox, 'ran'), sandbox.records().length]).toEqual([2, 1])
      },
    ))

  it('leaves no more time than there was', () =>
    withSandbox({ user: policy('echo x >> ran; sleep 30', { timeoutMs: 2500 }) }, async sandbox => {
      const second = await dying(sandbox, () => timed(hook(sandbox)))
      expect(second).toMatchObject({ exitCode: 0, stderr: '' })
      expect(messageOf(second)).toMatch(/did not answer within (2500 ms|the \d+ ms that were left of its 2500 ms)/)
      expect(second.ms).toBeLessThan(4500)
    }))
})

describe('a process that waits for another', () => {
  const claimed = (sandbox: Sandbox, claim: object) =>
    sandbox.store(store => {
      const identity = JSON.stringify(['PreToolUse', '', 't1', sandbox.project, 'Bash{"command":"ls"}'])
      store.claim({ client: CLIENT, session: 's' }, identity, () => ({ until: 0, ...claim }))
    })
  const held = { host: hostname(), born: '', mark: 'other', until: Date.now() + 600_000 }

  it.each(['open', 'closed'])('and gets no answer from it answers in its own time, %s', onError =>
    withSandbox({ user: policy('echo x >> ran', { timeoutMs: 500, onError }) }, async sandbox => {
      // init does not die, but gives no answer either
      claimed(sandbox, { ...held, pid: 1 })
      const { ms, stdout } = await timed(hook(sandbox))
      const reply = JSON.parse(stdout)
      const why = 'another process runs it for the same event and did not answer in time'
      expect(reply.systemMessage).toContain(why)
      expect(reply.hookSpecificOutput?.permissionDecision).toBe(onError === 'closed' ? 'deny' : undefined)
      expect(ms).toBeGreaterThan(500)
      expect(ms).toBeLessThan(2500)
      expect(linesIn(sandbox, 'ran')).toBe(0)
      // that is no answer to the event: who has the turn may still give one, and that may be a stricter one
      expect(sandbox.records()).toMatchObject([{ errors: [expect.stringContaining(why)] }])
      claimed(sandbox, { ...held, pid: 1, until: 1 })
      expect((await hook(sandbox)).stdout).toBe('')
      expect(linesIn(sandbox, 'ran')).toBe(1)
    }),
  )

  it.each([
    ['whose number nobody has', { pid: 2 ** 22 + 1 }],
    ['whose number another process has', { pid: 1, born: '1' }],
    ['whose time is over', { pid: 1, until: 1 }],
    ['that wrote nonsense', { pid: 'x' }],
  ])('does not wait for one %s', (_, claim) =>
    withSandbox({ user: policy('echo x >> ran') }, async sandbox => {
      claimed(sandbox, { ...held, ...claim })
      expect(await hook(sandbox)).toEqual({ exitCode: 0, stdout: '', stderr: '' })
      expect(linesIn(sandbox, 'ran')).toBe(1)
    }),
  )

  it('cannot see whether one of another machine lives, and waits', () =>
    withSandbox({ user: policy('echo x >> ran', { timeoutMs: 300 }) }, async sandbox => {
      claimed(sandbox, { ...held, host: 'elsewhere', pid: 2 ** 22 + 1 })
      expect(messageOf(await hook(sandbox))).toContain('another process runs it')
      expect(linesIn(sandbox, 'ran')).toBe(0)
    }))
})

describe('a hook that hands its own event to the hook again', () => {
  const again = (rest: string) => `echo x >> ran; "${process.execPath}" "${BIN}" hook --client ${CLIENT}${rest}`

  it('runs once, and is told why', () =>
    withSandbox({ user: policy(again(''), { timeoutMs: 20_000 }) }, async sandbox => {
      const reply = await timed(hook(sandbox))
      expect(messageOf(reply)).toContain('was not started: it would call itself')
      expect(reply.ms).toBeLessThan(10_000)
      expect([linesIn(sandbox, 'ran'), sandbox.records().length]).toEqual([1, 1])
    }))

  it('and still has the last word', () =>
    withSandbox({ user: policy(again(' > /dev/null; echo no >&2; exit 2'), { timeoutMs: 20_000 }) }, async sandbox => {
      const { stdout } = await hook(sandbox)
      expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecisionReason: 'no' })
      expect(sandbox.records()).toMatchObject([{ decision: 'deny', gate: 'hook:user/1' }])
    }))
})
