import { describe, expect, it } from 'vitest'
import { clientById } from '../../src/clients/index.ts'
import type { Event } from '../../src/engine/index.ts'

const event: Event = { kind: 'tool.before', client: 'x', name: 'x', session: 's', caller: { kind: 'main' } }
const hear = (client: string, exitCode: number, stdout: string, stderr = '', kind: Event['kind'] = 'tool.before') =>
  clientById(client)?.readOutput({ exitCode, stdout, stderr }, { ...event, kind })
const pass = { verdict: { decision: 'pass' } }
const deny = (reason: string) => ({ verdict: { decision: 'deny', reason } })

describe('a hook written for Gemini CLI', () => {
  it.each([
    [0, '', '', pass],
    [0, 'a note', '', { verdict: { decision: 'pass', message: 'a note' } }],
    [0, '{}', '', pass],
    [0, '{"decision":"deny","reason":"no"}', '', deny('no')],
    [1, '{"decision":"block","reason":"no"}', '', deny('no')],
    [2, '{"decision":"allow"}', 'because', deny('because')],
    [2, '{}', 'because', deny('because')],
    [3, '{}', '', { failed: 'exited with 3' }],
    [2, '', 'because', deny('because')],
    [2, 'out', 'err', deny('out')],
    [
      0,
      '{"decision":"ask","reason":"sure?","systemMessage":"m"}',
      '',
      { verdict: { decision: 'ask', reason: 'sure?', message: 'm' } },
    ],
    [0, '{"hookSpecificOutput":{"additionalContext":"c"}}', '', { verdict: { decision: 'pass', context: 'c' } }],
    [
      0,
      '{"continue":false,"stopReason":"enough"}',
      '',
      { verdict: { decision: 'pass', continue: false, message: 'enough' } },
    ],
    [0, '{"hookSpecificOutput":{"tool_input":{"a":1}}}', '', { ...pass, input: { a: 1 } }],
    [
      0,
      '{"decision":"ask","reason":"sure?","hookSpecificOutput":{"tool_input":{"a":1}}}',
      '',
      { verdict: { decision: 'ask', reason: 'sure?' }, input: { a: 1 } },
    ],
    [2, '{"hookSpecificOutput":{"tool_input":{"a":1}}}', 'because', deny('because')],
    [0, '{"hookSpecificOutput":{"tool_input":[1]}}', '', { ...pass, lost: ['tool_input'] }],
    [
      0,
      '{"title":"t","hookSpecificOutput":{"hookEventName":"BeforeTool","tailToolCallRequest":{"name":"x"}}}',
      '',
      { ...pass, lost: ['title', 'tailToolCallRequest'] },
    ],
    [1, '', 'oops', { failed: 'exited with 1: oops' }],
    [0, '{oops', '', { failed: 'gave a reply that is not JSON' }],
    [0, '{"decision":"perhaps"}', '', { failed: 'gave `decision` as "perhaps", which the client does not know' }],
    [
      0,
      '{"hookSpecificOutput":{"permissionDecision":"deny"}}',
      '',
      { failed: 'gave a `permissionDecision`, which this client does not read: use `decision`' },
    ],
  ])('exit %i with %j and %j', (exitCode, stdout, stderr, expected) => {
    expect(hear('gemini-cli', exitCode, stdout, stderr)).toEqual(expected)
  })

  it('can rewrite no call that has run', () => {
    const reply = '{"hookSpecificOutput":{"tool_input":{"a":1}}}'
    expect(hear('gemini-cli', 0, reply, '', 'tool.after')).toEqual({ ...pass, lost: ['tool_input'] })
  })
})

describe('a hook written for Cursor', () => {
  it.each([
    [0, '', '', pass],
    [0, '{}', '', pass],
    [
      0,
      '{"permission":"allow"}',
      '',
      { verdict: { decision: 'allow', reason: 'Decided by a hook that gives no reason.' } },
    ],
    [0, '{"permission":"deny","user_message":"u","agent_message":"a"}', '', deny('a')],
    [0, '{"permission":"ask","user_message":"u"}', '', { verdict: { decision: 'ask', reason: 'u' } }],
    [0, '{"continue":false,"user_message":"u"}', '', deny('u')],
    [
      0,
      '{"additional_context":"c","user_message":"m"}',
      '',
      { verdict: { decision: 'pass', context: 'c', message: 'm' } },
    ],
    [0, '{"updated_input":{"a":1}}', '', { ...pass, input: { a: 1 } }],
    [0, '{"updated_input":[1],"env":{}}', '', { ...pass, lost: ['env', 'updated_input'] }],
    [2, '', 'because', deny('because')],
    [2, '{"user_message":"u"}', 'because', deny('u')],
    [1, '', 'oops', { failed: 'exited with 1: oops' }],
    [0, 'words', '', { failed: 'gave a reply that is not JSON' }],
    [0, '{"permission":"perhaps"}', '', { failed: 'gave `permission` as "perhaps", which the client does not know' }],
  ])('exit %i with %j and %j', (exitCode, stdout, stderr, expected) => {
    expect(hear('cursor', exitCode, stdout, stderr)).toEqual(expected)
  })

  it('holds a stop by going on', () => {
    expect(hear('cursor', 0, '{"followup_message":"more"}', '', 'turn.stop')).toEqual(deny('more'))
  })
})

describe('a hook written for the plugin of opencode', () => {
  it.each([
    [0, '', '', pass],
    [0, '{"decision":"deny","reason":"no"}', '', deny('no')],
    [1, '{"decision":"deny","reason":"no"}', '', deny('no')],
    [2, '', 'because', deny('because')],
    [0, '{"context":"c","message":"m"}', '', { verdict: { decision: 'pass', context: 'c', message: 'm' } }],
    [0, '{"continue":false}', '', { verdict: { decision: 'pass', continue: false } }],
    [0, '{"input":{"a":1}}', '', { ...pass, input: { a: 1 } }],
    [0, '{"input":[1],"x":1}', '', { ...pass, lost: ['x', 'input'] }],
    [0, '{"decision":"block"}', '', { failed: 'gave `decision` as "block": only `deny` is one here' }],
    [
      0,
      '{"hookSpecificOutput":{"permissionDecision":"deny"}}',
      '',
      { failed: 'gave a `hookSpecificOutput`, which is not read here: use `decision`' },
    ],
    [0, 'words', '', { failed: 'gave a reply that is not JSON' }],
    [1, '', 'oops', { failed: 'exited with 1: oops' }],
  ])('exit %i with %j and %j', (exitCode, stdout, stderr, expected) => {
    expect(hear('opencode', exitCode, stdout, stderr)).toEqual(expected)
  })
})

describe('a hook written for Qwen Code', () => {
  const inner = (words: object) => JSON.stringify({ hookSpecificOutput: words })
  it.each([
    [0, '', '', pass],
    [0, inner({ permissionDecision: 'deny', permissionDecisionReason: 'no' }), '', deny('no')],
    [
      0,
      inner({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
      '',
      { verdict: { decision: 'ask', reason: 'sure?' } },
    ],
    [0, '{"decision":"deny","reason":"no"}', '', deny('no')],
    [0, '{"decision":"block","reason":"no"}', '', deny('no')],
    [0, '{"permissionDecision":"deny"}', '', { ...pass, lost: ['permissionDecision'] }],
    [0, inner({ updatedInput: { a: 1 } }), '', { ...pass, lost: ['updatedInput'] }],
    [
      0,
      inner({ permissionDecision: 'defer' }),
      '',
      { failed: 'gave `permissionDecision` as "defer", which the client does not know' },
    ],
    [2, '', 'because', deny('because')],
    [1, '', 'oops', { failed: 'exited with 1: oops' }],
    [0, '{oops', '', { failed: 'gave a reply that is not JSON' }],
  ])('exit %i with %j and %j', (exitCode, stdout, stderr, expected) => {
    expect(hear('qwen-code', exitCode, stdout, stderr)).toEqual(expected)
  })
})

describe("a hook in the generic protocol's words", () => {
  it.each([
    [0, '', '', pass],
    [0, '{"decision":"approve"}', '', pass],
    [0, '{"decision":"approve","warning":"w"}', '', { verdict: { decision: 'pass', context: 'w' } }],
    [0, '{"decision":"block","reason":"no"}', '', deny('no')],
    [2, '', 'because', deny('because')],
    [1, '', '', { failed: 'exited with 1' }],
    [1, '{"decision":"block","reason":"no"}', '', deny('no')],
    [2, '{"decision":"block","reason":"no","warning":"w"}', '', { verdict: { ...deny('no').verdict, context: 'w' } }],
    [0, 'words', '', { failed: 'gave a reply that is not JSON' }],
    [0, '{"decision":"deny"}', '', { failed: 'gave `decision` as "deny", neither approve nor block' }],
    [0, '{"decision":"approve","metadata":{"a":1}}', '', pass],
    [
      0,
      '{"hookSpecificOutput":{"permissionDecision":"deny"}}',
      '',
      { failed: 'gave a `hookSpecificOutput`, which this protocol does not have: use `decision`' },
    ],
    [
      1,
      '',
      'Traceback (most recent call last):\n  File "x"\nRuntimeError: boom',
      { failed: 'exited with 1: RuntimeError: boom' },
    ],
    [1, '', 'cannot\nError: later', { failed: 'exited with 1: Error: later' }],
    [0, '{"decision":"approve","tool_input":{"a":1}}', '', { ...pass, lost: ['tool_input'] }],
  ])('exit %i with %j and %j', (exitCode, stdout, stderr, expected) => {
    expect(hear('generic', exitCode, stdout, stderr)).toEqual(expected)
  })
})

describe('a hook written for Codex CLI', () => {
  const at = (name: string, kind: Event['kind'], exitCode: number, stdout: string, stderr = '') =>
    clientById('codex-cli')?.readOutput({ exitCode, stdout, stderr }, { ...event, name, kind })
  const inner = (more: object) => JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } })

  it.each([
    [0, '', '', pass],
    [0, 'a note', '', pass],
    [0, '{}', '', pass],
    [2, '', 'because', deny('because')],
    [2, '', '', { failed: 'exited with 2' }],
    [1, '{}', 'oops', { failed: 'exited with 1: oops' }],
    [0, '{oops', '', { failed: 'gave a reply that is not JSON' }],
    [0, '{"decision":"block","reason":"no"}', '', deny('no')],
    [0, '{"decision":"block"}', '', { failed: 'denied without a reason: the client ignores that' }],
    [0, inner({ permissionDecision: 'deny', permissionDecisionReason: 'no' }), '', deny('no')],
    [0, inner({ additionalContext: 'c' }), '', { verdict: { decision: 'pass', context: 'c' } }],
    [0, inner({ permissionDecision: 'allow', updatedInput: { a: 1 } }), '', { ...pass, input: { a: 1 } }],
    [
      0,
      inner({ permissionDecision: 'allow' }),
      '',
      { failed: 'gave "allow" as its decision, which the client does not accept' },
    ],
    [
      0,
      inner({ permissionDecision: 'ask', permissionDecisionReason: 'x' }),
      '',
      { failed: 'gave "ask" as its decision, which the client does not accept' },
    ],
    [
      0,
      '{"decision":"block","reason":"no","extra":1}',
      '',
      { failed: 'gave `extra`, and the client ignores a reply with an unknown key' },
    ],
    [
      0,
      '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}',
      '',
      { failed: 'gave a `hookSpecificOutput` without `hookEventName: PreToolUse`: the client ignores it' },
    ],
  ])('exit %i with %j and %j', (exitCode, stdout, stderr, expected) => {
    expect(at('PreToolUse', 'tool.before', exitCode, stdout, stderr)).toEqual(expected)
  })

  it('decides on permission, speaks plainly to the agent, and holds a stop by JSON only', () => {
    const request = (decision: unknown) =>
      JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })
    const asked = (decision: unknown) => at('PermissionRequest', 'permission.request', 0, request(decision))
    expect(asked({ behavior: 'deny', message: 'no' })).toEqual(deny('no'))
    expect(asked({ behavior: 'allow' })).toMatchObject({ verdict: { decision: 'allow' } })
    expect(asked({ behavior: 'perhaps' })).toEqual({
      failed: 'gave `behavior` as "perhaps", which the client does not know',
    })
    expect(at('PermissionRequest', 'permission.request', 0, '{}')).toEqual(pass)
    expect(at('SessionStart', 'session.start', 0, 'hello')).toEqual({ verdict: { decision: 'pass', context: 'hello' } })
    expect(at('SessionStart', 'session.start', 2, '', 'no')).toEqual({ verdict: { decision: 'pass', message: 'no' } })
    expect(at('Stop', 'turn.stop', 0, 'hello')).toEqual({ failed: 'gave a reply that is not JSON' })
  })
})

describe('a hook written for Copilot CLI', () => {
  const at = (name: string, kind: Event['kind'], exitCode: number, stdout: string, stderr = '') =>
    clientById('copilot-cli')?.readOutput({ exitCode, stdout, stderr }, { ...event, name, kind })
  const inner = JSON.stringify({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
  })

  it.each([
    [0, '', '', pass],
    [0, '{}', '', pass],
    [0, 'a note', '', { failed: 'gave a reply that is not JSON' }],
    [0, '{"permissionDecision":"deny","permissionDecisionReason":"no"}', '', deny('no')],
    [
      0,
      '{"permissionDecision":"ask","permissionDecisionReason":"sure?"}',
      '',
      { verdict: { decision: 'ask', reason: 'sure?' } },
    ],
    [0, '{"additionalContext":"c"}', '', { verdict: { decision: 'pass', context: 'c' } }],
    [0, '{"modifiedArgs":{"a":1}}', '', { ...pass, input: { a: 1 } }],
    [0, '{"updatedInput":{"a":1},"title":"t"}', '', { ...pass, input: { a: 1 }, lost: ['title'] }],
    [2, '{"permissionDecision":"allow"}', 'because', deny('because')],
    // before a call any other end refuses
    [1, '', 'oops', deny('exited with 1: oops')],
    [
      0,
      '{"decision":"block","reason":"no"}',
      '',
      { failed: 'gave `decision`, which is not read here: use `permissionDecision`' },
    ],
    [
      0,
      '{"permissionDecision":"perhaps"}',
      '',
      { failed: 'gave `permissionDecision` as "perhaps", which the client does not know' },
    ],
    [
      0,
      inner,
      '',
      { failed: 'gave a `hookSpecificOutput`, which preToolUse does not read: the decision must be at the top level' },
    ],
  ])('exit %i with %j and %j', (exitCode, stdout, stderr, expected) => {
    expect(at('preToolUse', 'tool.before', exitCode, stdout, stderr)).toEqual(expected)
  })

  it('is heard in the words of its event and its style', () => {
    expect(at('PreToolUse', 'tool.before', 0, inner)).toEqual(deny('no'))
    const request = (said: object) => at('permissionRequest', 'permission.request', 0, JSON.stringify(said))
    expect(request({ behavior: 'deny', message: 'no' })).toEqual(deny('no'))
    expect(request({ behavior: 'allow' })).toMatchObject({ verdict: { decision: 'allow' } })
    expect(at('agentStop', 'turn.stop', 0, '{"decision":"block","reason":"go on"}')).toEqual(deny('go on'))
    expect(at('agentStop', 'turn.stop', 0, '{"decision":"allow"}')).toEqual(pass)
    expect(at('agentStop', 'turn.stop', 1, '')).toEqual({ failed: 'exited with 1' })
    expect(at('postToolUseFailure', 'tool.failed', 2, '', 'try b')).toEqual({
      verdict: { decision: 'pass', context: 'try b' },
    })
  })
})
