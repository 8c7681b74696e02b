import { describe, expect, it } from 'vitest'
import { clientById } from '../../src/clients/index.ts'
import type { Event } from '../../src/core/index.ts'

const event: Event = { kind: 'tool.before', client: 'x', name: 'x', session: 's', caller: { kind: 'main' } }
const hear = (client: string, exitCode: number, stdout: string, stderr = '', kind: Event['kind'] = 'tool.before') =>
  clientById(client)?.hear({ exitCode, stdout, stderr }, { ...event, kind })
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
      { failed: 'gave a `permissionDecision`, which this client does not read: it wants `decision`' },
    ],
  ])('exit %i with %j and %j', (exitCode, stdout, stderr, expected) => {
    expect(hear('gemini-cli', exitCode, stdout, stderr)).toEqual(expected)
  })

  it('can rewrite no call that has run', () => {
    const reply = '{"hookSpecificOutput":{"tool_input":{"a":1}}}'
    expect(hear('gemini-cli', 0, reply, '', 'tool.after')).toEqual({ ...pass, lost: ['tool_input'] })
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
      { failed: 'gave a `hookSpecificOutput`, which is not read here: it wants `decision`' },
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
      { failed: 'gave a `hookSpecificOutput`, which this protocol does not have: it wants `decision`' },
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
