import { describe, expect, it } from 'vitest'
import { capture, recordedSession } from '../support/clients/captures.ts'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

const POLICY = `gates:
  push:
    rules:
      - { when: { event: tool.before, command: touch }, then: deny, message: Leave it. }
  start:
    rules:
      - { when: { event: session.start }, then: warn, message: Mind the gap. }
`
/** Registered in its own settings and in those of Claude Code, which it reads too. */
const twice = async (sandbox: Sandbox) => {
  const env = { COPILOT_CLI: '1', CLAUDE_PROJECT_DIR: '/home/dev/proj' }
  const said = []
  for (const payload of recordedSession('copilot-cli-both')) {
    const client = payload.sessionId === undefined ? 'claude-code' : 'copilot-cli'
    said.push((await sandbox.hook(client, JSON.stringify(payload), { env })).stdout)
  }
  return said
}

describe('an event that comes by two registrations', () => {
  it('is answered the same in the words of who sent it, and counts once', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const said = await twice(sandbox)
      const deny = '{"permissionDecision":"deny","permissionDecisionReason":"Leave it."}\n'
      const told = '{"additionalContext":"Mind the gap."}\n'
      // a refusal is said to both, a word only once
      expect(said).toEqual([told, '', '', '', deny, deny, '', '', '', ''])
      const records = sandbox.records()
      expect(records.map(({ client, event }) => `${client} ${event}`)).toEqual([
        'copilot-cli session.start',
        'copilot-cli prompt.submit',
        'copilot-cli tool.before',
        'copilot-cli tool.after',
        'copilot-cli turn.stop',
      ])
    }))

  it('of Cursor too, whichever comes first', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const call = { ...capture('cursor-documented/preToolUse'), tool_input: { command: 'touch x' } }
      const payloads = [capture('cursor-documented/beforeSubmitPrompt'), call, capture('cursor-documented/stop')]
      const said = []
      for (const payload of payloads)
        for (const client of ['claude-code', 'cursor'])
          said.push((await sandbox.hook(client, JSON.stringify(payload))).stdout)
      const deny = '{"permission":"deny","user_message":"Leave it.","agent_message":"Leave it."}\n'
      expect(said).toEqual(['{}\n', '{}\n', deny, deny, '{}\n', '{}\n'])
      expect(sandbox.records().map(({ client, event }) => `${client} ${event}`)).toEqual([
        'cursor prompt.submit',
        'cursor tool.before',
        'cursor turn.stop',
      ])
    }))
})

describe('agents with sessions of their own', () => {
  it('are judged in the session of the main agent, however deep', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const payloads = recordedSession('copilot-cli-agents')
      for (const payload of payloads) await sandbox.hook('copilot-cli', JSON.stringify(payload))
      const records = sandbox.records()
      expect(records).toHaveLength(payloads.length)
      expect([...new Set(records.map(({ session }) => session))]).toEqual([payloads[0]?.sessionId])
      expect(records.filter(({ tool, event }) => tool === 'Bash' && event === 'tool.before').length).toBe(4)
    }))
})

describe('a payload that nobody can read', () => {
  it.each([
    [
      'copilot-cli',
      '{"sessionId":"s"}',
      'unread',
      'the payload does not name the event: add `--event` to the hook command',
    ],
    ['codex-cli', '{"session_id":"s"}', 'unread', 'no `hook_event_name` in the payload'],
    ['codex-cli', '[1]', 'unread', "the hook's input is not a JSON object"],
    [
      'claude-code',
      '{"hook_event_name":"PreToolUse","to',
      'PreToolUse',
      "the hook's input is not JSON (35 characters)",
    ],
  ])('leaves a line in the trail: %s, %s', (client, input, name, why) =>
    withSandbox({ project: POLICY }, async sandbox => {
      await sandbox.hook(client, input)
      expect(sandbox.records()).toMatchObject([{ client, name, event: 'other', decision: 'pass', errors: [why] }])
    }),
  )

  it('and the line says that it was refused', () =>
    withSandbox({}, async sandbox => {
      await sandbox.hook('codex-cli', '{', { args: ['--event', 'PermissionRequest', '--on-error', 'closed'] })
      expect(sandbox.records()).toMatchObject([{ client: 'codex-cli', name: 'PermissionRequest', decision: 'deny' }])
    }))
})
