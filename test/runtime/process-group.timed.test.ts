import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type GroupCommand, runInProcessGroup } from '../../src/hook/process/process-group.ts'
import { isGone } from './process-gone.ts'

const FOLDER = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-group-')))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

const run = (line: string, more: Partial<GroupCommand> = {}) =>
  runInProcessGroup({ line, input: '', env: { PATH: process.env.PATH }, cwd: FOLDER, timeoutMs: 5000, ...more })

const timed = async <T>(work: Promise<T>) => {
  const start = performance.now()
  const value = await work
  return { value, ms: performance.now() - start }
}

const pidIn = (name: string) => Number(readFileSync(join(FOLDER, name), 'utf8'))

describe('the time of a hook command', () => {
  it('is its own: ten run at once', async () => {
    const { ms } = await timed(Promise.all(Array.from({ length: 10 }, () => run('sleep 0.5'))))
    expect(ms).toBeLessThan(4000)
  })

  it('ends, with everything it started', async () => {
    const line = 'sleep 60 & echo $! > one; sh -c "sleep 60 & echo \\$! > two; wait" & echo $$ > three; wait'
    const { value, ms } = await timed(run(line, { timeoutMs: 300 }))
    expect(value).toEqual({ failed: 'did not answer within 300 ms' })
    expect(ms).toBeLessThan(3000)
    expect(['one', 'two', 'three'].map(pidIn).filter(pid => !isGone(pid))).toEqual([])
  })

  it('ends for those who do not listen', async () => {
    const line =
      'trap "" TERM; sh -c "trap \\"\\" TERM; while :; do sleep 0.05; done" & echo $! > deaf; while :; do :; done'
    const { value, ms } = await timed(run(line, { timeoutMs: 300 }))
    expect(value).toEqual({ failed: 'did not answer within 300 ms' })
    expect(ms).toBeLessThan(3000)
    expect(isGone(pidIn('deaf'))).toBe(true)
  })

  it('ends for one that only prints', async () => {
    expect(await run('yes', { timeoutMs: 300 })).toEqual({ failed: 'did not answer within 300 ms' })
  })

  it('may be longer than a timer can count', async () => {
    expect(await run('sleep 0.1; echo ok', { timeoutMs: 2 ** 40 })).toMatchObject({ stdout: 'ok\n' })
  })
})

describe('what a hook command leaves behind', () => {
  it('is ended with it, and does not hold up the answer', async () => {
    const { value, ms } = await timed(run('sleep 60 & echo $! > left; echo done'))
    expect(value).toEqual({ exitCode: 0, stdout: 'done\n', stderr: '' })
    expect(ms).toBeLessThan(3000)
    expect(isGone(pidIn('left'))).toBe(true)
  })

  it('even if it does not listen', async () => {
    const { value } = await timed(
      run('sh -c "trap \\"\\" TERM; echo \\$\\$ > stays; while :; do sleep 0.05; done" & sleep 0.3; echo done'),
    )
    expect(value).toMatchObject({ exitCode: 0, stdout: 'done\n' })
    expect(isGone(pidIn('stays'))).toBe(true)
  })

  it('a daemon that took its own session is not of the group (left-behind.test.ts ends it), and nobody waits for it', async () => {
    const { value, ms } = await timed(run('setsid sleep 5 & echo done'))
    expect(value).toMatchObject({ exitCode: 0, stdout: 'done\n' })
    expect(ms).toBeLessThan(3000)
  })
})
