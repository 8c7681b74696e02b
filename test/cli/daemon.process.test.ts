import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withSandbox } from '../support/sandbox.ts'

const SHOWN =
  /^RUNNING {2}process \d+, for \d+ s\n {2}answered {2}0 events; 0 policies loaded, \d+ MB\n {2}program .*\nNext {2}npx signalbox daemon logs\n$/

it('signalbox daemon start, status, logs, stop: line 1 is the verdict', { timeout: 60_000 }, () =>
  withSandbox({}, async sandbox => {
    const env = { npm_command: 'exec' }
    const daemon = (...args: string[]) => sandbox.run(['daemon', ...args], { env })
    expect(await daemon('status')).toEqual({
      exitCode: 1,
      stdout: 'NOT RUNNING  hooks work without it, about 50 ms slower per call\nNext  npx signalbox daemon start\n',
      stderr: '',
    })
    expect(await daemon('logs')).toMatchObject({ exitCode: 0, stdout: 'No log yet: the daemon has not run.\n' })
    const started = await daemon('start')
    expect(started).toEqual({ exitCode: 0, stdout: expect.stringMatching(SHOWN), stderr: '' })
    expect((await daemon('start')).stdout).toMatch(/^ALREADY RUNNING {2}process /)
    expect(JSON.parse((await daemon('status', '--json')).stdout)).toMatchObject({
      ...{ running: true, answered: 0, connections: 0, node: process.version, pid: expect.any(Number) },
    })
    expect((await daemon('status')).exitCode).toBe(0)
    const stopped = await daemon('stop')
    expect(stopped).toMatchObject({ exitCode: 0, stderr: '' })
    expect(stopped.stdout).toMatch(/^STOPPED {2}process \d+\n {2}the next hook call starts it again;/)
    expect(await daemon('stop')).toMatchObject({ exitCode: 0, stdout: 'NOT RUNNING  nothing to stop\n' })
    expect((await daemon('logs')).stdout).toMatch(/ serves .*\n.* stops: `signalbox daemon stop`\n$/)
    expect(JSON.parse((await daemon('logs', '--json')).stdout).lines).toHaveLength(2)
  }),
)

it('one that cannot start says why, and that nothing depends on it', { timeout: 60_000 }, () =>
  withSandbox({}, async sandbox => {
    writeFileSync(join(sandbox.home, 'state'), 'no folder')
    const failed = await sandbox.run(['daemon', 'start'])
    expect(failed).toMatchObject({ exitCode: 2, stdout: '' })
    expect(failed.stderr).toMatch(/^signalbox daemon start: the daemon did not start\..*\nHooks work without it\.\n$/s)
    const off = await sandbox.run(['daemon', 'start'], { env: { SIGNALBOX_DAEMON: 'off' } })
    expect(off).toMatchObject({ exitCode: 2, stdout: '' })
    expect(off.stderr).toContain('SIGNALBOX_DAEMON switches the daemon off')
  }),
)

it('a word that it does not know, and help', () =>
  withSandbox({}, async sandbox => {
    expect(await sandbox.run(['daemon', 'start', '--what'])).toMatchObject({ exitCode: 2, stdout: '' })
    expect((await sandbox.run(['daemon', 'stop', '--help'])).stdout).toContain('usage  signalbox daemon stop [--json]')
    expect(await sandbox.run(['daemon'])).toMatchObject({ exitCode: 2 })
  }))
