import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

const call = (id: string) =>
  JSON.stringify({
    ...{ hook_event_name: 'PreToolUse', session_id: 's', cwd: '/home/dev/proj', tool_use_id: id },
    ...{ tool_name: 'Bash', tool_input: { command: 'ls' } },
  })

/** With `init` the folder of the program is there; a plugin or a line that was added by hand brings none. */
const withTrail = (work: (sandbox: Sandbox, state: string) => Promise<void>, by: 'init' | 'hand' = 'init') =>
  withSandbox({}, async sandbox => {
    if (by === 'init') mkdirSync(join(sandbox.home, 'data'), { recursive: true })
    await sandbox.hookInProcess('claude-code', call('a'))
    const state = join(sandbox.home, 'state')
    expect(existsSync(join(state, 'signalbox.db'))).toBe(true)
    await work(sandbox, state)
  })

const GONE = 'the state folder was removed, with the whole audit log'
const AGAIN = 'the state folder was removed: the records before record 1 are lost'

it('a whole trail is fine, and a folder that never held one', async () => {
  await withTrail(async sandbox => {
    expect((await sandbox.run(['audit', 'verify'])).stdout).toMatch(/^OK/)
  })
  await withSandbox({}, async sandbox => {
    mkdirSync(join(sandbox.home, 'data'), { recursive: true })
    expect((await sandbox.run(['audit', 'verify'])).stdout).toBe('OK  nothing is recorded yet\n')
    await sandbox.hookInProcess('claude-code', call('a'))
    expect((await sandbox.run(['audit', 'verify'])).stdout).toMatch(/^OK {2}1 record/)
  })
})

it.each(['init', 'hand'] as const)('a state folder that was removed is missed, registered by %s', by =>
  withTrail(async (sandbox, state) => {
    rmSync(state, { recursive: true })
    const gone = await sandbox.run(['audit', 'verify'])
    expect(gone.exitCode).toBe(1)
    expect(gone.stdout).toContain(GONE)
    expect((await sandbox.run(['doctor'])).stdout).toContain(GONE)
    expect((await sandbox.run(['status'])).stdout).toContain(GONE)

    const { stdout, stderr } = await sandbox.hookInProcess('claude-code', call('b'))
    expect(stdout + stderr).toContain('the state folder was removed; all sessions and the audit log start again')
    const again = await sandbox.run(['audit', 'verify'])
    expect(again.exitCode).toBe(1)
    expect(again.stdout).toContain(AGAIN)
    expect((await sandbox.run(['doctor'])).stdout).toContain(AGAIN)
    expect((await sandbox.run(['status'])).stdout).toContain(AGAIN)
    expect((await sandbox.run(['log', '--all', '--everywhere'])).stdout).toContain('the state folder was removed')
  }, by),
)

it('what remembers it names each folder once', () =>
  withTrail(async (sandbox, state) => {
    await sandbox.hookInProcess('claude-code', call('b'))
    rmSync(state, { recursive: true })
    await sandbox.hookInProcess('claude-code', call('c'))
    const lines = readFileSync(join(sandbox.home, 'data/audit-begun'), 'utf8').trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^\d{4}-\S+ \/.*state$/)
  }))
