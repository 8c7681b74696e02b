import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

/** One event that comes by several registrations: a person's own settings, the project's, a plugin. */
const POLICY = stringify({
  hooks: [{ event: 'turn.stop', run: 'echo x >> ran' }],
  gates: {
    work: {
      initial: 'closed',
      rules: [
        { when: { event: 'turn.stop' }, then: 'deny', message: 'Go on.' },
        { when: { event: 'tool.before', command: 'git push' }, then: 'deny', message: 'Do not push.' },
        { when: { event: 'session.start' }, then: 'warn', message: 'Mind the gate.' },
      ],
    },
  },
})

const payload = (hook_event_name: string, more: object = {}) =>
  JSON.stringify({ session_id: 's', cwd: '/home/dev/proj', hook_event_name, ...more })
/** none of them has an id of its own */
const START = payload('SessionStart', { source: 'startup' })
const STOP = payload('Stop', { stop_hook_active: false, last_assistant_message: 'Done.' })
const ASK = payload('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } })
const PUSH = payload('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'git push' }, tool_use_id: 't1' })

const hook = (sandbox: Sandbox, text: string, via?: string) =>
  sandbox.hook('claude-code', text, { args: via === undefined ? [] : ['--via', via] })
const ranIn = ({ project }: Sandbox) =>
  existsSync(join(project, 'ran')) ? readFileSync(join(project, 'ran'), 'utf8').length / 2 : 0
const inPolicy = (work: (sandbox: Sandbox) => Promise<void>) => withSandbox({ user: POLICY }, work)

describe('an event that comes by two registrations', () => {
  it.each([
    ['a stop', STOP],
    ['a request for permission', ASK],
    ['the start of a session', START],
    ['a call', PUSH],
  ])('%s is counted once, one after the other or at the same moment', (_, text) =>
    inPolicy(async sandbox => {
      await hook(sandbox, text)
      await hook(sandbox, text, 'plugin')
      expect(sandbox.records()).toHaveLength(1)
      const more = text.replace('"s"', '"another"')
      await Promise.all([hook(sandbox, more, 'plugin'), hook(sandbox, more, 'project'), hook(sandbox, more)])
      expect(sandbox.records()).toHaveLength(2)
    }),
  )

  it('is refused by both, in the same words, and its hooks run once', () =>
    inPolicy(async sandbox => {
      const replies = await Promise.all([hook(sandbox, STOP), hook(sandbox, STOP, 'plugin')])
      expect(replies[1]).toEqual(replies[0])
      expect(JSON.parse(replies[0]?.stdout ?? '')).toMatchObject({ decision: 'block', reason: 'Go on.' })
      expect(ranIn(sandbox)).toBe(1)
    }))

  it('is refused by both in every format of a refusal', () =>
    inPolicy(async sandbox => {
      const call = { hook_event_name: 'preToolUse', tool_name: 'Shell', tool_input: { command: 'git push' } }
      const about = { conversation_id: 'c', generation_id: 'g', cursor_version: '1', tool_use_id: 't' }
      const text = JSON.stringify({ ...call, ...about, cwd: '/home/dev/proj', workspace_roots: ['/home/dev/proj'] })
      const first = await sandbox.hook('cursor', text)
      expect(JSON.parse(first.stdout)).toMatchObject({ permission: 'deny', user_message: 'Do not push.' })
      expect(await sandbox.hook('cursor', text, { args: ['--via', 'plugin'] })).toEqual(first)
      expect(sandbox.records()).toHaveLength(1)
    }))

  it('tells the agent once what is no refusal', () =>
    inPolicy(async sandbox => {
      const first = await hook(sandbox, START, 'plugin')
      expect(first.stdout).toContain('Mind the gate.')
      expect(await hook(sandbox, START)).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    }))

  it('is a new one when it comes again by both', () =>
    inPolicy(async sandbox => {
      for (const via of [undefined, 'plugin', 'plugin', undefined, undefined, 'plugin']) await hook(sandbox, STOP, via)
      expect(sandbox.records()).toHaveLength(3)
      expect(ranIn(sandbox)).toBe(3)
    }))
})

describe('two events', () => {
  it('came by the same registration', () =>
    inPolicy(async sandbox => {
      for (const via of ['plugin', 'plugin', undefined]) await hook(sandbox, STOP, via)
      expect(sandbox.records()).toHaveLength(2)
    }))

  it('say something else', () =>
    inPolicy(async sandbox => {
      await hook(sandbox, STOP)
      await hook(sandbox, STOP.replace('Done.', 'Done!'), 'plugin')
      expect(sandbox.records()).toHaveLength(2)
    }))

  it('are of two sessions', () =>
    inPolicy(async sandbox => {
      await hook(sandbox, STOP)
      await hook(sandbox, STOP.replace('"s"', '"t"'), 'plugin')
      expect(sandbox.records()).toHaveLength(2)
    }))

  it('are longer apart than the hooks of one can be', () =>
    inPolicy(async sandbox => {
      await hook(sandbox, STOP)
      const text = STOP.replace('/home/dev/proj', sandbox.project)
      const made = sandbox.store(store =>
        store.claim({ client: 'claude-code', session: 's' }, `delivered ${text}`, last => ({ ...last, until: 1 })),
      )
      expect(made).toMatchObject({ ways: [''] })
      await hook(sandbox, STOP, 'plugin')
      expect(sandbox.records()).toHaveLength(2)
    }))

  it('are told by a protocol that is registered nowhere', () =>
    inPolicy(async sandbox => {
      const text = JSON.stringify({ event: 'turn.stop', session_id: 's', cwd: '/home/dev/proj' })
      await sandbox.hook('generic', text)
      await sandbox.hook('generic', text, { args: ['--via', 'plugin'] })
      expect(sandbox.records()).toHaveLength(2)
    }))
})
