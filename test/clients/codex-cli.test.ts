import { describe, expect, test } from 'vitest'
import { objectField } from '../../src/clients/adapter/decode.ts'
import { actionsOfTool, type Event, NO_OPINION } from '../../src/engine/index.ts'
import { identifySender } from '../../src/hook/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { capture, captureNames, recordedSession } from '../support/clients/captures.ts'
import { clientOf, firstEvent, objectsOf } from './decoding.ts'

const client = clientOf('codex-cli')
const first = (payload: JsonObject): Event => firstEvent(client, payload)
const recorded = (name: string): Event => first(capture(`codex-cli-0.166.0/${name}`))
const call = (tool_name: string, tool_input: JsonObject, more: JsonObject = {}): JsonObject => ({
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  ...more,
})

const KINDS: Readonly<Record<string, string>> = {
  SessionStart: 'session.start',
  SessionEnd: 'session.end',
  UserPromptSubmit: 'prompt.submit',
  PreToolUse: 'tool.before',
  PostToolUse: 'tool.after',
  SubagentStart: 'agent.start',
  SubagentStop: 'agent.stop',
  Stop: 'turn.stop',
}

describe('decode', () => {
  test.each(captureNames('codex-cli-0.166.0'))('%s', name => {
    const payload = capture(name)
    const event = first(payload)
    const { session_id: session, cwd, hook_event_name, agent_id: id, agent_type: type } = payload
    const caller = id === undefined ? { kind: 'main' } : { kind: 'agent', id, type }
    expect(event).toMatchObject({ client: 'codex-cli', name: hook_event_name, session, cwd, caller })
    expect(event.kind).toBe(KINDS[String(hook_event_name)])
    expect(event.call?.native ?? event.call?.tool).toBe(payload.tool_name)
    expect(event.call?.input ?? {}).toMatchObject(objectField(payload, 'tool_input'))
  })

  test('a call', () => {
    expect(recorded('PreToolUse.Bash')).toEqual({
      kind: 'tool.before',
      client: 'codex-cli',
      name: 'PreToolUse',
      session: '01a1de10-1b38-7482-82cf-6acd2e1e5cc6',
      caller: { kind: 'main' },
      cwd: '/home/dev/proj',
      model: 'gpt-5.1-codex',
      permissions: 'bypassPermissions',
      call: { tool: 'Bash', input: { command: 'echo hi' }, id: 'call_0001main', acts: [] },
      identity: expect.stringMatching(/^\["PreToolUse","01a1de10-1b52-73b1-97a1-3848b5afed79","call_0001main",/),
    })
  })

  test('the end of a call says what it put out, and not how it ended', () => {
    expect(recorded('PostToolUse.Bash')).toMatchObject({ answer: 'hi\n', call: { status: 'unknown' } })
  })

  test('a spawn ends with a receipt; what the agent said comes with its stop', () => {
    const spawn = recorded('PostToolUse.spawn_agent')
    expect(spawn.call).toMatchObject({ tool: 'Agent', native: 'spawn_agent', status: 'unknown' })
    expect(spawn.answer).toBeUndefined()
    expect(recorded('SubagentStop')).toMatchObject({ agent: 'default', answer: 'SUBDONE', stopActive: false })
  })

  test.each<[string, JsonObject, string, unknown]>([
    ['spawn_agent', { message: 'p', agent_type: 'router' }, 'Agent', ['router']],
    ['spawn_agent', { message: 'p' }, 'Agent', ['default']],
    ['multi_agent_v1send_input', { target: 'x', message: 'm' }, 'SendMessage', ['x']],
    ['send_input', { id: 'x' }, 'SendMessage', ['x']],
    ['multi_agent_v1wait_agent', { targets: [] }, 'TaskOutput', ['coordinate']],
    ['update_plan', { plan: [] }, 'TodoWrite', ['coordinate']],
    ['view_image', { path: 'a.png' }, 'Read', ['a.png']],
    ['mcp__a__b', {}, 'mcp__a__b', ['mcp']],
    ['frobnicate', { x: 1 }, 'frobnicate', ['other']],
    ['constructor', {}, 'constructor', ['other']],
  ])('%s %j is %s', (native, input, tool, objects) => {
    const { call: made } = first(call(native, input))
    expect(made).toMatchObject({ tool, input })
    expect(objectsOf(made)).toEqual(objects)
  })

  test('a patch is read from the field the tool has it in', () => {
    const { call: made } = first(call('apply_patch', { command: '*** Begin Patch' }))
    expect(actionsOfTool(made?.tool ?? '', made?.input ?? {})).toEqual({ patch: '*** Begin Patch' })
    const { call: none } = first(call('apply_patch', { command: 7 }))
    expect(actionsOfTool(none?.tool ?? '', none?.input ?? {})).toEqual({ acts: [{ action: 'other', opaque: true }] })
  })

  test.each([
    ['fix it', {}, 'user'],
    ['fix it', { agent_id: 'a' }, 'agent'],
    ['<subagent_notification>done', {}, 'system'],
    ['<b> is not closed', {}, 'user'],
  ])('%j with %j is from %s', (prompt, more, source) => {
    expect(first({ hook_event_name: 'UserPromptSubmit', prompt, ...more }).prompt?.source).toBe(source)
  })

  test('the same call in another turn, or another call, is another event', () => {
    const at = (turn_id: string, command: string) =>
      first(call('Bash', { command }, { turn_id, tool_use_id: 'c' })).identity
    const [a, b, c, d] = [at('1', 'ls'), at('1', 'ls'), at('2', 'ls'), at('1', 'ls -a')]
    expect([a === b, a === c, a === d, a === undefined]).toEqual([true, false, false, false])
    expect(first({ ...call('Bash', { command: 'ls' }), hook_event_name: 'PermissionRequest' }).identity).toBe(undefined)
  })
})

test('a recorded session', () => {
  const lines = recordedSession('codex-cli').map(payload => {
    const { kind, caller, call: made } = first(payload)
    return [kind, caller.kind, made?.tool].filter(Boolean).join(' ')
  })
  const bash = ['tool.before main Bash', 'tool.after main Bash']
  expect(lines).toEqual([
    ...['session.start main', 'prompt.submit main', ...bash, ...bash, ...bash],
    // a patch in a shell line has no end
    'tool.before main Bash',
    ...[...bash, ...bash, ...bash, 'turn.stop main', 'session.end main'],
  ])
})

test('where a call cannot end the session it is refused, by the reason the person is told', () => {
  const ending = { ...NO_OPINION, continue: false, message: 'Enough.', suppressOutput: true }
  expect(JSON.parse(client.encode(ending, recorded('PreToolUse')).stdout)).toEqual({
    systemMessage: 'Enough.',
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Enough',
    },
  })
  expect(JSON.parse(client.encode(ending, recorded('Stop')).stdout)).toEqual({
    continue: false,
    stopReason: 'Enough.',
    systemMessage: 'Enough.',
  })
})

test('its payloads are known wherever they were registered', () => {
  for (const name of captureNames('codex-cli-0.166.0'))
    expect(identifySender('claude-code', capture(name), {}), name).toBe('codex-cli')
  for (const name of [...captureNames('claude-code-2.1.325'), ...captureNames('claude-code-2.1.197')])
    expect(identifySender('claude-code', capture(name), {}), name).toBe('claude-code')
})

test.each([
  ['Do not push.', 'Do not push'],
  ['Not yet.\nRun the tests.\n', 'Not yet.\nRun the tests'],
  ['Wait...', 'Wait...'],
  ['Now?', 'Now?'],
])('the client ends a reason with a full stop of its own: %j', (reason, sent) => {
  const reply = client.encode({ ...NO_OPINION, decision: 'deny', reason }, recorded('PreToolUse'))
  expect(objectField(JSON.parse(reply.stdout), 'hookSpecificOutput').permissionDecisionReason).toBe(sent)
})
