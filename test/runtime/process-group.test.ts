import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type GroupCommand, runInProcessGroup } from '../../src/hook/process/process-group.ts'

const FOLDER = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-group-')))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

/** Nothing here is held to its time: `process-group.timed.test.ts` does that. */
const run = (line: string, more: Partial<GroupCommand> = {}) =>
  runInProcessGroup({ line, input: '', env: { PATH: process.env.PATH }, cwd: FOLDER, timeoutMs: 60_000, ...more })

describe('what a hook command is given', () => {
  it.each([
    ['a payload', '{"a":"\\u00e9 é 😀"}\n\n'],
    ['nothing', ''],
    ['two megabytes', 'x'.repeat(2_000_000)],
  ])('%s on stdin, to the byte', async (_, input) => {
    expect(await run('cat > in; wc -c < in', { input })).toMatchObject({ exitCode: 0 })
    expect(readFileSync(join(FOLDER, 'in'), 'utf8')).toBe(input)
  })

  it("the caller's environment and nothing else", async () => {
    const env = { PATH: process.env.PATH, SECRET: 'a b\n"c"', EMPTY: '' }
    const ran = await run('printf "%s|" "$SECRET"; printenv EMPTY; printenv HOME || echo no home', { env })
    expect(ran).toEqual({ exitCode: 0, stdout: 'a b\n"c"|\nno home\n', stderr: '' })
  })

  it("the caller's folder", async () => {
    expect(await run('pwd')).toEqual({ exitCode: 0, stdout: `${FOLDER}\n`, stderr: '' })
  })
})

describe('how a hook command ends', () => {
  it.each([
    ['exit 0', { exitCode: 0, stdout: '', stderr: '' }],
    ['echo out; echo err >&2; exit 2', { exitCode: 2, stdout: 'out\n', stderr: 'err\n' }],
    ['exit 1', { exitCode: 1, stdout: '', stderr: '' }],
    ['kill -9 $$', { failed: 'was stopped by SIGKILL' }],
    ['kill -15 $$', { failed: 'was stopped by SIGTERM' }],
  ])('%s', async (line, expected) => {
    expect(await run(line)).toEqual(expected)
  })

  it('a command nobody has is the shell saying so', async () => {
    expect(await run('no-such-command-at-all')).toMatchObject({
      exitCode: 127,
      stderr: expect.stringContaining('not found'),
    })
  })

  it.each([
    ['a folder that is gone', { cwd: '/no/such/folder' }],
    ['a folder that cannot be named', { cwd: 'a\0b' }],
    ['an environment that is too big', { env: { BIG: 'x'.repeat(5_000_000) } }],
  ])('%s is a failure, not a crash', async (_, more) => {
    expect(await run('true', more)).toEqual({ failed: expect.stringMatching(/^could not be started: /) })
  })

  it('closing stdin at once is no failure, whatever there is to read', async () => {
    expect(await run('exec 0<&-; echo ok', { input: 'x'.repeat(5_000_000) })).toEqual({
      exitCode: 0,
      stdout: 'ok\n',
      stderr: '',
    })
  })

  it('too much output is read to its end and cut', async () => {
    const ran = await run('head -c 5000000 /dev/zero | tr "\\0" x; head -c 300000 /dev/zero | tr "\\0" y >&2')
    if ('failed' in ran) throw new Error(ran.failed)
    expect([ran.exitCode, ran.stdout.length, ran.stderr.length]).toEqual([0, 1024 * 1024, 64 * 1024])
  })
})
