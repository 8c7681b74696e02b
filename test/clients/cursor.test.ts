import { describe, expect, test } from 'vitest'
import { clientById } from '../../src/clients/index.ts'
import { actionsOfTool, type Event, NO_OPINION } from '../../src/engine/index.ts'
import { identifySender } from '../../src/hook/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { capture, captureNames } from '../support/clients/captures.ts'

/** Documented, not recorded: see the README beside the payloads. */
const client = clientById('cursor')
if (client === undefined) throw new Error('cursor is not in the list')

const first = (payload: JsonObject): Event => {
  const [event] = client.decode(payload, {})
  if (event === undefined) throw new Error('no event')
  return event
}
const payloadOf = (name: string): JsonObject => capture(`cursor-documented/${name}`)
const documented = (name: string): Event => first(payloadOf(name))

const KINDS: Readonly<Record<string, string>> = {
  sessionStart: 'session.start',
  sessionEnd: 'session.end',
  beforeSubmitPrompt: 'prompt.submit',
  preToolUse: 'tool.before',
  beforeShellExecution: 'tool.before',
  beforeMCPExecution: 'tool.before',
  beforeReadFile: 'tool.before',
  postToolUse: 'tool.after',
  afterShellExecution: 'tool.after',
  afterMCPExecution: 'tool.after',
  afterFileEdit: 'tool.after',
  postToolUseFailure: 'tool.failed',
  subagentStart: 'agent.start',
  subagentStop: 'agent.stop',
  stop: 'turn.stop',
  preCompact: 'compact.before',
}

describe('decode', () => {
  test.each(captureNames('cursor-documented'))('%s', name => {
    const payload = capture(name)
    const { hook_event_name, conversation_id } = payload
    const event = first(payload)
    expect(event).toMatchObject({
      kind: KINDS[String(hook_event_name)] ?? 'other',
      client: 'cursor',
      name: hook_event_name,
      session: conversation_id ?? '',
      cwd: '/home/dev/proj',
    })
    expect(first(payload)).toEqual(event)
  })

  test.each<[string, string, readonly unknown[]]>([
    ['preToolUse', 'Bash', ['ls']],
    ['beforeShellExecution', 'Bash', ['ls']],
    ['afterShellExecution', 'Bash', ['ls']],
    ['preToolUse.Write', 'Write', ['/home/dev/proj/a.txt']],
    ['beforeReadFile', 'Read', ['/home/dev/proj/a.txt']],
    ['afterFileEdit', 'Edit', ['/home/dev/proj/a.txt']],
    ['preToolUse.MCP', 'mcp__get_issue', ['mcp']],
    ['beforeMCPExecution', 'mcp__get_issue', ['mcp']],
    ['preToolUse.Task', 'Agent', ['router']],
  ])('%s is %s of %j', (name, tool, objects) => {
    const { call } = documented(name)
    expect(call?.tool).toBe(tool)
    const reading = actionsOfTool(tool, call?.input ?? {})
    const acts = 'acts' in reading ? reading.acts.map(act => act.agent ?? act.place?.lexical ?? act.action) : []
    expect('shell' in reading ? [reading.shell] : acts).toEqual(objects)
  })

  test('the input of an MCP call is JSON in a string', () => {
    expect(documented('beforeMCPExecution').call?.input).toEqual({ id: '1' })
    expect(first({ ...payloadOf('beforeMCPExecution'), tool_input: '{oops' }).call?.input).toEqual({ input: '{oops' })
  })

  test.each<[string, Event['caller']]>([
    ['preToolUse', { kind: 'main' }],
    ['preToolUse.subagent', { kind: 'agent', id: 'tool_0' }],
    ['beforeShellExecution', { kind: 'unknown' }],
    ['subagentStart', { kind: 'agent', id: 'sub_1', type: 'router' }],
  ])('%s is called by %j', (name, caller) => {
    expect(documented(name).caller).toEqual(caller)
  })

  test('an agent ends with its summary, in the conversation that started it', () => {
    const stop = { ...payloadOf('subagentStop'), conversation_id: 'its own' }
    expect(first(stop)).toMatchObject({
      session: payloadOf('stop').conversation_id,
      agent: 'router',
      answer: '{"intent":"bug_fix"}',
      stopActive: false,
    })
  })

  test.each<[string, unknown, string]>([
    ['succeeded', '{"output":"a","exitCode":0}', 'tool.after'],
    ['failed', '{"output":"a","exitCode":2}', 'tool.failed'],
    ['unknown', 'a.txt', 'tool.after'],
    ['unknown', 7, 'tool.after'],
  ])('a shell call %s: %j', (status, tool_output, kind) => {
    const event = first({ ...payloadOf('postToolUse'), tool_output: tool_output as string })
    expect([event.call?.status, event.kind]).toEqual([status, kind])
  })

  test('what goes on because of a hook is counted', () => {
    expect(documented('stop').stopActive).toBe(false)
    expect(first({ ...payloadOf('stop'), loop_count: 2 }).stopActive).toBe(true)
  })

  test('registered twice, an event is the same one', () => {
    const one = documented('preToolUse').identity
    expect(one).toBeDefined()
    expect(first({ ...payloadOf('preToolUse'), hook_event_name: 'PreToolUse' }).identity).toBe(one)
    expect(first({ ...payloadOf('preToolUse'), tool_use_id: 'tool_9' }).identity).not.toBe(one)
    // without an id two calls are two
    expect(documented('beforeShellExecution').identity).toBeUndefined()
  })
})

describe('encode', () => {
  const told = (name: string, decision: 'deny' | 'ask' | 'allow' | 'pass') =>
    JSON.parse(
      client.encode({ ...NO_OPINION, decision, reason: decision === 'pass' ? '' : 'No.' }, documented(name)).stdout,
    )

  test.each([
    ['preToolUse', 'deny', { permission: 'deny', user_message: 'No.', agent_message: 'No.' }],
    ['beforeShellExecution', 'ask', { permission: 'ask', user_message: 'No.', agent_message: 'No.' }],
    ['beforeReadFile', 'ask', { permission: 'deny', user_message: 'No.' }],
    ['subagentStart', 'deny', { permission: 'deny', user_message: 'No.' }],
    ['beforeSubmitPrompt', 'deny', { continue: false, user_message: 'No.' }],
    ['stop', 'deny', { followup_message: 'No.' }],
    ['subagentStop', 'deny', { followup_message: 'No.' }],
    ['preToolUse', 'pass', {}],
    ['beforeTabFileRead', 'pass', {}],
  ] as const)('%s %s', (name, decision, words) => {
    expect(told(name, decision)).toEqual(words)
  })

  test('a message stands beside the reason', () => {
    const outcome = { ...NO_OPINION, decision: 'deny' as const, reason: 'No.', message: 'Ask me.' }
    expect(JSON.parse(client.encode(outcome, documented('beforeSubmitPrompt')).stdout)).toEqual({
      continue: false,
      user_message: 'No.\nAsk me.',
    })
  })

  test('only preToolUse takes another input', () => {
    const outcome = { ...NO_OPINION, input: { command: 'ls -l' } }
    expect(client.encode(outcome, documented('preToolUse')).stdout).toBe('{"updated_input":{"command":"ls -l"}}')
    expect(client.encode(outcome, documented('beforeShellExecution')).stdout).toBe('{}')
  })
})

describe('the sender', () => {
  const claude = clientById('claude-code')
  if (claude === undefined) throw new Error('claude-code is not in the list')

  test.each(captureNames('cursor-documented'))('%s is its own, whoever it was registered for', name => {
    expect(identifySender('claude-code', capture(name), {})).toBe('cursor')
  })

  test('what does not name the editor is not', () => {
    const { cursor_version: _, ...payload } = payloadOf('preToolUse')
    expect(identifySender('claude-code', payload, {})).toBe('claude-code')
    expect(identifySender('claude-code', { hook_event_name: 'PreToolUse', cursor_version: 7 }, {})).toBe('claude-code')
  })
})
