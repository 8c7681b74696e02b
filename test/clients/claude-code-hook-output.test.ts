import { describe, expect, it } from 'vitest'
import { clientById } from '../../src/clients/index.ts'

const client = clientById('claude-code')
if (!client) throw new Error('no client')

const eventOf = (name: string) => {
  const tool = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' }
  const [event] = client.decode({ session_id: 's', hook_event_name: name, ...tool }, {})
  if (!event) throw new Error('no event')
  return event
}
const hear = (name: string, ran: { exitCode?: number; stdout?: string | object; stderr?: string }) => {
  const { exitCode = 0, stdout = '', stderr = '' } = ran
  const text = typeof stdout === 'string' ? stdout : JSON.stringify(stdout)
  return client.readOutput({ exitCode, stdout: text, stderr }, eventOf(name))
}
const inner = (name: string, more: object) => ({ hookSpecificOutput: { hookEventName: name, ...more } })
const replied = (more: object, ran: { exitCode?: number; stderr?: string } = {}) =>
  hear('PreToolUse', { stdout: inner('PreToolUse', more), ...ran })
const verdict = (decision: string, more: object = {}) => ({ verdict: { decision, ...more } })

describe('a reply to PreToolUse', () => {
  it.each([
    ['allow', verdict('allow', { reason: 'r' })],
    ['deny', verdict('deny', { reason: 'r' })],
    ['ask', verdict('ask', { reason: 'r' })],
    ['defer', verdict('ask', { reason: 'r' })],
  ])('%s', (permissionDecision, expected) => {
    expect(replied({ permissionDecision, permissionDecisionReason: 'r' })).toEqual(expected)
  })

  it('a decision without a reason gets one', () => {
    expect(replied({ permissionDecision: 'deny' })).toEqual(
      verdict('deny', { reason: 'Denied by a hook that gives no reason.' }),
    )
  })

  it.each([
    [{ decision: 'block', reason: 'r' }, verdict('deny', { reason: 'r' })],
    [{ decision: 'approve', reason: 'r' }, verdict('allow', { reason: 'r' })],
    [{}, verdict('pass')],
    [{ systemMessage: 'm', suppressOutput: true }, verdict('pass', { message: 'm', suppressOutput: true })],
    [{ continue: false, stopReason: 'why' }, verdict('pass', { continue: false, message: 'why' })],
    [{ continue: true, suppressOutput: false }, verdict('pass')],
    [inner('PreToolUse', { additionalContext: 'c' }), verdict('pass', { context: 'c' })],
    [inner('PreToolUse', { updatedInput: { a: 1 } }), { ...verdict('pass'), input: { a: 1 } }],
    [{ sessionTitle: 't' }, { ...verdict('pass'), lost: ['sessionTitle'] }],
  ])('%j', (stdout, expected) => {
    expect(hear('PreToolUse', { stdout })).toEqual(expected)
  })

  it.each([
    [{ decision: 'deny' }, 'gave `decision` as "deny", which the client does not know'],
    [
      inner('PreToolUse', { permissionDecision: 'maybe' }),
      'gave `permissionDecision` as "maybe", which the client does not know',
    ],
    [
      inner('PostToolUse', { permissionDecision: 'deny' }),
      expect.stringContaining('without `hookEventName: PreToolUse`'),
    ],
    [
      { hookSpecificOutput: { permissionDecision: 'deny' } },
      expect.stringContaining('without `hookEventName: PreToolUse`'),
    ],
    ['{"decision": "blo', 'gave a reply that is not JSON'],
    ['{} and more', 'gave a reply that is not JSON'],
    ['hello from my profile\n{"decision": "block"}', 'printed other text before its JSON'],
  ])('%j is a failure: the client would ignore it in silence', (stdout, failed) => {
    expect(hear('PreToolUse', { stdout })).toEqual({ failed })
  })

  it('a line of plain text is nothing, as for the client', () => {
    expect(hear('PreToolUse', { stdout: 'checked 3 files\n' })).toEqual(verdict('pass'))
  })
})

describe('exit codes', () => {
  it.each([
    ['PreToolUse', { stderr: 'no\n' }, verdict('deny', { reason: 'no' })],
    ['PreToolUse', {}, verdict('deny', { reason: 'Denied by a hook that gives no reason.' })],
    ['PreToolUse', { stdout: '{"cut', stderr: 'no' }, verdict('deny', { reason: 'no' })],
    [
      'PreToolUse',
      { stdout: { decision: 'block', reason: 'json' }, stderr: 'no' },
      verdict('deny', { reason: 'json' }),
    ],
    [
      'PreToolUse',
      { stdout: inner('PreToolUse', { permissionDecision: 'allow', permissionDecisionReason: 'fine' }), stderr: 'no' },
      verdict('deny', { reason: 'no' }),
    ],
    ['PermissionRequest', { stderr: 'no' }, verdict('deny', { reason: 'no' })],
    ['PostToolUse', { stderr: 'lint' }, verdict('deny', { reason: 'lint' })],
    ['UserPromptSubmit', { stderr: 'no' }, verdict('deny', { reason: 'no' })],
    ['Stop', { stderr: 'go on' }, verdict('deny', { reason: 'go on' })],
    ['SessionStart', { stderr: 'old node' }, verdict('pass', { message: 'old node' })],
  ])('2 at %s', (name, ran, expected) => {
    expect(hear(name, { exitCode: 2, ...ran })).toEqual(expected)
  })

  it.each([
    [1, 'boom\nat line 3', 'exited with 1: boom'],
    [1, '', 'exited with 1'],
    [127, 'sh: 1: x: not found', 'exited with 127: sh: 1: x: not found'],
  ])('%i is a failure', (exitCode, stderr, failed) => {
    for (const name of ['PreToolUse', 'UserPromptSubmit', 'Stop', 'SessionStart'])
      expect(hear(name, { exitCode, stderr, stdout: 'text' })).toEqual({ failed })
  })

  it('any other with a JSON reply: the reply counts, as for the client', () => {
    expect(replied({ permissionDecision: 'deny', permissionDecisionReason: 'r' }, { exitCode: 1 })).toEqual(
      verdict('deny', { reason: 'r' }),
    )
  })
})

describe('replies to other events', () => {
  it.each([
    ['SessionStart', verdict('pass', { context: 'be nice' })],
    ['UserPromptSubmit', verdict('pass', { context: 'be nice' })],
    ['PostToolUse', verdict('pass')],
    ['Stop', verdict('pass')],
  ])('plain text at %s', (name, expected) => {
    expect(hear(name, { stdout: 'be nice\n' })).toEqual(expected)
  })

  it.each(['UserPromptSubmit', 'PostToolUse', 'Stop', 'SubagentStop', 'PreCompact'])('block at %s', name => {
    expect(hear(name, { stdout: { decision: 'block', reason: 'r' } })).toEqual(verdict('deny', { reason: 'r' }))
  })

  it('approve is an allow only before a call', () => {
    expect(hear('Stop', { stdout: { decision: 'approve' } })).toEqual(verdict('pass'))
  })

  it('updatedInput is nothing after a call', () => {
    expect(hear('PostToolUse', { stdout: inner('PostToolUse', { updatedInput: {} }) })).toEqual(verdict('pass'))
  })

  it.each([
    [{ behavior: 'allow' }, verdict('allow', { reason: 'Decided by a hook that gives no reason.' })],
    [{ behavior: 'allow', updatedInput: { a: 1 } }, { input: { a: 1 } }],
    [{ behavior: 'allow', updatedPermissions: [] }, { lost: ['updatedPermissions'] }],
    [{ behavior: 'deny', message: 'r' }, verdict('deny', { reason: 'r' })],
    [{ behavior: 'deny', message: 'r', interrupt: true }, verdict('deny', { reason: 'r', continue: false })],
    [{ behavior: 'maybe' }, { failed: 'gave `behavior` as "maybe", which the client does not know' }],
  ])('a permission request answered %j', (decision, expected) => {
    expect(hear('PermissionRequest', { stdout: inner('PermissionRequest', { decision }) })).toMatchObject(expected)
  })
})
