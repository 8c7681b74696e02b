import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

const POLICY = `gates:
  g:
    initial: closed
    rules:
      - while: closed
        when: { event: tool.before, command: git push }
        then: deny
        message: Do not push.
`
const push = (more: object) =>
  JSON.stringify({
    session_id: 's',
    cwd: '/home/dev/proj',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'git push' },
    ...more,
  })
const hook = (sandbox: Sandbox, payload: string) => sandbox.hook('claude-code', payload)
const reason = ({ stdout }: { stdout: string }) => JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason
const counted = (sandbox: Sandbox) =>
  sandbox.store(store =>
    store.transact({ client: 'claude-code', session: 's' }, { root: '', now: 0, expiryHours: 1 }, ({ session }) => ({
      records: [],
      result: Object.values(session.denials).flat().length,
    })),
  )

describe('an event that comes twice', () => {
  it('is answered the same and counted once', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const first = await hook(sandbox, push({ tool_use_id: 't1' }))
      const second = await hook(sandbox, push({ tool_use_id: 't1' }))
      expect(second).toEqual(first)
      expect(reason(first)).toBe('Do not push.')
      expect(counted(sandbox)).toBe(1)
      expect(sandbox.records()).toHaveLength(1)
    }))

  it('at the same moment too', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const replies = await Promise.all(Array.from({ length: 6 }, () => hook(sandbox, push({ tool_use_id: 't1' }))))
      expect(new Set(replies.map(({ stdout }) => stdout)).size).toBe(1)
      expect(counted(sandbox)).toBe(1)
      expect(sandbox.records()).toHaveLength(1)
    }))

  it('is answered the same, whatever came in between', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const first = await hook(sandbox, push({ tool_use_id: 't1' }))
      await hook(sandbox, push({ tool_use_id: 't2' }))
      expect(await hook(sandbox, push({ tool_use_id: 't1' }))).toEqual(first)
    }))

  it.each([
    ['without an identity', {}, {}],
    ['of another call', { tool_use_id: 't1' }, { tool_use_id: 't2' }],
    ['of another turn', { tool_use_id: 't1', prompt_id: 'a' }, { tool_use_id: 't1', prompt_id: 'b' }],
    [
      'of the same number and another input',
      { tool_use_id: 't1' },
      { tool_use_id: 't1', tool_input: { command: 'git push -f' } },
    ],
  ])('%s is two events', (_, one, other) =>
    withSandbox({ project: POLICY }, async sandbox => {
      const first = await hook(sandbox, push(one))
      const second = await hook(sandbox, push(other))
      expect(reason(second)).not.toBe(reason(first))
      expect(counted(sandbox)).toBe(2)
      expect(sandbox.records()).toHaveLength(2)
    }),
  )
})

describe('an event of the generic protocol that comes twice', () => {
  const PAIR = { tool_name: 'Bash', tool_input: { command: 'git push' }, session_id: 's', cwd: '/home/dev/proj' }
  const twice = (one: object, other: object) =>
    withSandbox(
      {
        project: POLICY,
        user: 'hooks: [{ event: [tool.before, tool.after, agent.stop, prompt.submit], run: echo x >> ran }]',
      },
      async sandbox => {
        const first = await sandbox.hook('generic', JSON.stringify({ ...PAIR, ...one }))
        const second = await sandbox.hook('generic', JSON.stringify({ ...PAIR, ...other }))
        const ran = readFileSync(join(sandbox.project, 'ran'), 'utf8').length / 2
        return { same: second.stdout === first.stdout, ran, records: sandbox.records().length }
      },
    )
  const at = { timestamp: '2026-11-15T08:26:27.696Z' }

  it.each([
    ['a call by its id', { tool_use_id: 't1' }, 1],
    ['a call by its time', at, 1],
    ['the end of a call', { tool_use_id: 't1', tool_result: { exit_code: 0 } }, 1],
    [
      'the last word of the router, which is two events',
      { tool_name: 'decide', tool_use_id: 't1', tool_result: '{}', context: { agent_name: 'router' } },
      2,
    ],
    ['a prompt', { ...at, event: 'prompt.submit', prompt: 'hi' }, 1],
  ])('%s is one', async (_, payload, records) => {
    expect(await twice(payload, payload)).toEqual({ same: true, ran: 1, records })
  })

  it.each([
    ['with neither', {}, {}],
    ['of another id', { tool_use_id: 't1' }, { tool_use_id: 't2' }],
    ['of another time', at, { timestamp: '2026-11-15T08:26:27.697Z' }],
    ['at the beginning and at the end of a call', { tool_use_id: 't1' }, { tool_use_id: 't1', tool_result: 'ok' }],
    [
      'of the same id and another input',
      { tool_use_id: 't1' },
      { tool_use_id: 't1', tool_input: { command: 'git push -f' } },
    ],
    ['of the same id and another agent', { tool_use_id: 't1' }, { tool_use_id: 't1', agent_id: 'a' }],
    ['of the same id in another folder', { tool_use_id: 't1' }, { tool_use_id: 't1', cwd: '/home/dev/proj/sub' }],
    [
      'of the same id and another result',
      { tool_use_id: 't1', tool_result: 'a' },
      { tool_use_id: 't1', tool_result: 'b' },
    ],
  ])('%s is two', async (_, one, other) => {
    expect(await twice(one, other)).toMatchObject({ ran: 2, records: 2 })
  })
})

describe('a record', () => {
  it('tells what was decided, why and how fast, and nothing secret', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const command = 'DB_PASSWORD=hunter2 git push https://me:hunter2@h.example/r.git'
      await hook(sandbox, push({ tool_use_id: 't1', tool_input: { command } }))
      const [record] = sandbox.records()
      expect(record).toMatchObject({
        client: 'claude-code',
        session: 's',
        caller: 'main',
        turn: 0,
        tool: 'Bash',
        acts: ['run git push https://me:[redacted]@h.example/r.git'],
        decision: 'deny',
        gate: 'project/g',
        matches: [{ gate: 'project/g', decision: 'deny', effect: 'deny', mode: 'block' }],
        ms: expect.any(Number),
        policy: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      expect(JSON.stringify(record)).not.toContain('hunter2')
    }))
})

it('what a person hears of several gates that an agent is stuck at is true of each', () => {
  const rule = (id: string) =>
    `{ id: ${id}, while: closed, when: { event: tool.before, command: git push }, then: deny, message: Not ${id}. }`
  const gate = (id: string) => `  ${id}:\n    initial: closed\n    rules: [${rule(`${id}1`)}, ${rule(`${id}2`)}]\n`
  return withSandbox({ project: `gates:\n${gate('a')}${gate('b')}` }, async sandbox => {
    const replies = []
    for (let nth = 0; nth < 5; nth++) replies.push(await hook(sandbox, push({ tool_use_id: `t${nth}` })))
    const { systemMessage } = JSON.parse(replies.at(-1)?.stdout ?? '')
    // with one of the two switched off, the other one denies the call all the same
    expect(systemMessage.split('\n')).toEqual(
      ['a', 'b'].map(
        id =>
          `signalbox: main is stuck at the gate "${id}": 5 denials in two minutes. \`signalbox bypass --gate ${id} --for 10m --reason "…"\` switches it off.`,
      ),
    )
  })
})
