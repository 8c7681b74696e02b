import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { clients } from '../../src/clients/index.ts'
import { actionsOfTool, type Event, NO_OPINION } from '../../src/engine/index.ts'
import { identifySender } from '../../src/hook/index.ts'
import { isObject, type JsonObject } from '../../src/lib/json.ts'
import { capture, captureNames, recordedSession } from '../support/clients/captures.ts'
import { clientOf, firstEvent, objectsOf } from './decoding.ts'

const CAMEL = 'copilot-cli-1.0.102'
const PASCAL = 'copilot-cli-1.0.102-pascal'

const client = clientOf('copilot-cli')
const first = (payload: JsonObject, hint?: string): Event => firstEvent(client, payload, hint)
const call = (toolName: string, toolArgs: JsonObject, more: JsonObject = {}): JsonObject => ({
  sessionId: 's',
  toolName,
  toolArgs,
  ...more,
})
const after = (toolName: string, toolArgs: JsonObject, textResultForLlm: string, resultType = 'success'): JsonObject =>
  call(toolName, toolArgs, { toolResult: { resultType, textResultForLlm } })

const KINDS: Readonly<Record<string, string>> = {
  sessionstart: 'session.start',
  sessionend: 'session.end',
  userpromptsubmitted: 'prompt.submit',
  userpromptsubmit: 'prompt.submit',
  pretooluse: 'tool.before',
  posttooluse: 'tool.after',
  posttoolusefailure: 'tool.failed',
  permissionrequest: 'permission.request',
  subagentstart: 'agent.start',
  subagentstop: 'agent.stop',
}
/** What the hook was registered for is the file's name. */
const eventOf = (name: string): string => name.replace(/^.*\//, '').replace(/\..*$/, '').replace('http', 'preToolUse')

describe.each([...captureNames(CAMEL), ...captureNames(PASCAL)])('%s', name => {
  const payload = capture(name)
  const root = payload.parentAgentId ?? payload.parent_agent_id ?? payload.sessionId ?? payload.session_id

  test('is decoded, in the session of the main agent', () => {
    const event = first(payload)
    expect(event.name.toLowerCase()).toBe(eventOf(name).toLowerCase())
    expect(event).toMatchObject({ client: 'copilot-cli', session: root, cwd: '/home/dev/proj' })
    // a turn of an agent ends before the agent stops
    expect(event.kind).toBe(KINDS[eventOf(name).toLowerCase()] ?? 'other')
    const id = payload.agentId ?? payload.agent_id
    const caller = id === undefined ? { kind: 'main' } : { kind: 'agent', id, type: 'general-purpose' }
    expect(event.caller).toEqual(caller)
    expect(event.call === undefined).toBe((payload.toolName ?? payload.tool_name) === undefined)
    expect(event.identity).toBeDefined()
  })

  test('means the same with the name of its event given', () => {
    expect(first(payload, eventOf(name))).toEqual({ ...first(payload), name: expect.any(String) })
  })

  test('is known for its own in the settings of another agent', () => {
    const env = { COPILOT_CLI: '1' }
    expect(identifySender('claude-code', payload, env)).toBe('copilot-cli')
    // a proxy may time its payloads too
    expect(identifySender('claude-code', payload, {})).toBe('claude-code')
    expect(identifySender('generic', payload, env)).toBe('generic')
  })
})

test('an agent that runs inside its shell is not taken for it', () => {
  const env = { COPILOT_CLI: '1' }
  const folders = readdirSync(new URL('../captures/', import.meta.url)).filter(
    folder => !['sessions', 'transcripts'].includes(folder),
  )
  for (const folder of folders) {
    const own = clients.find(({ id }) => folder.startsWith(`${id}-`))
    expect(own, folder).toBeDefined()
    for (const name of own ? captureNames(folder) : [])
      expect(own && identifySender(own.id, capture(name), env), name).toBe(own?.id)
  }
})

test('a call', () => {
  expect(first(capture(`${CAMEL}/preToolUse.subagent.bash`))).toEqual({
    kind: 'tool.before',
    client: 'copilot-cli',
    name: 'preToolUse',
    session: '5eace67d-d006-42ce-bcb3-45fc2eab26fe',
    caller: { kind: 'agent', id: 'ed4b4d45-f4b0-4f21-8b41-af77bfe28232', type: 'general-purpose' },
    cwd: '/home/dev/proj',
    call: {
      tool: 'Bash',
      native: 'bash',
      input: { command: 'echo insub', description: 'x' },
      id: expect.stringMatching(/^Bash\/[a-z0-9]+$/),
      acts: [],
    },
    identity: expect.stringMatching(/^\["tool\.before","1794726195709","ed4b4d45/),
  })
})

describe('both styles at once', () => {
  const payloads = recordedSession('copilot-cli-both')
  const pairs = payloads.flatMap((payload, nth) => {
    const other = payloads[nth + 1]
    return nth % 2 === 0 && other ? [[payload, other] as const] : []
  })

  test('are the same event, said the same', () => {
    expect(pairs.length).toBe(5)
    for (const [camel, pascal] of pairs) {
      const [a, b] = [first(camel), first(pascal)]
      expect(a.identity).toBe(b.identity)
      const { name: _, ...one } = a
      expect({ ...b, call: undefined }).toMatchObject({ ...one, call: undefined })
      expect(b.call?.input).toEqual(a.call?.input)
      const outcome = { ...NO_OPINION, decision: 'deny' as const, reason: 'no', context: 'c' }
      expect(client.encode(outcome, b)).toEqual(client.encode(outcome, a))
    }
  })

  test('a patch has another name in each', () => {
    const patch = '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch'
    const at = { timestamp: 1794756655532 }
    const camel = first(call('apply_patch', { input: patch }, at))
    const pascal = first({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      timestamp: '2026-11-15T15:30:55.532Z',
      tool_name: 'Edit',
      tool_input: { input: patch },
    })
    expect([camel.call?.tool, pascal.call?.tool]).toEqual(['ApplyPatch', 'ApplyPatch'])
    expect(pascal.identity).toBe(camel.identity)
    expect(actionsOfTool('ApplyPatch', pascal.call?.input ?? {})).toEqual({ patch })
    // an edit may carry a patch that nobody applies, and a patch a path that nobody edits
    const both = first(call('Edit', { path: 'b', old_str: 'x', new_str: 'y', input: patch }))
    expect(actionsOfTool(both.call?.tool ?? '', both.call?.input ?? {})).toEqual({
      patch: `${patch}\n*** Update File: b`,
    })
  })
})

test.each<[string, JsonObject, string, unknown]>([
  ['view', { path: 'a' }, 'Read', ['a']],
  ['create', { path: 'a', file_text: 'x' }, 'Write', ['a']],
  ['edit', { path: 'a', old_str: 'x', new_str: 'y' }, 'Edit', ['a']],
  ['Edit', { path: 'a', old_str: 'x', new_str: 'y' }, 'Edit', ['a']],
  // a request for permission to create or edit
  ['edit', { file_path: 'a', diff: 'd' }, 'Edit', ['a']],
  ['str_replace_editor', { command: 'view', path: 'a' }, 'Read', ['a']],
  ['str_replace_editor', { command: 'create', path: 'a' }, 'Edit', ['a']],
  ['grep', { pattern: 'x', path: 'src' }, 'Grep', ['src']],
  ['rg', { pattern: 'x' }, 'Grep', ['.']],
  ['task', { agent_type: 'router', prompt: 'p' }, 'Agent', ['router']],
  ['Agent', { agent_type: 'router', prompt: 'p' }, 'Agent', ['router']],
  ['write_agent', { agent_id: 'x', message: 'm' }, 'SendMessage', ['x']],
  ['read_agent', { agent_id: 'x' }, 'TaskOutput', ['coordinate']],
  ['web_fetch', { url: 'https://a.io/' }, 'WebFetch', ['https://a.io/']],
  ['sql', { query: 'select 1' }, 'sql', ['other']],
  ['constructor', {}, 'constructor', ['other']],
])('%s %j is %s', (native, input, tool, objects) => {
  const { call: made } = first(call(native, input))
  expect(made).toMatchObject({ tool, input })
  expect(objectsOf(made)).toEqual(objects)
})

test('arguments may come as a string of JSON', () => {
  const text = (toolArgs: string) => first({ sessionId: 's', toolName: 'bash', toolArgs }).call?.input
  expect(text('{"command":"ls"}')).toEqual({ command: 'ls' })
  // what is no object is not lost: it may be a command
  expect(text('{oops')).toEqual({ input: '{oops' })
  expect(text('[1]')).toEqual({ input: [1] })
})

test.each<[status: string, said: string, answer: string | undefined, input: JsonObject]>([
  ['succeeded', 'hi\n<shellId: 0 completed with exit code 0>', 'hi', {}],
  ['succeeded', '\n<shellId: 0 completed with exit code 0>', '', {}],
  ['failed', 'no\n<shellId: 1 completed with exit code 3>', 'no', {}],
  [
    'failed',
    '<shellId: 0 completed with exit code 0>\n<shellId: 1 completed with exit code 1>',
    '<shellId: 0 completed with exit code 0>',
    {},
  ],
  [
    'unknown',
    '<shellId: 0 completed with exit code 0>\nand more',
    '<shellId: 0 completed with exit code 0>\nand more',
    {},
  ],
  ['unknown', '<command started in background with shellId: 0>', undefined, { mode: 'async' }],
  ['unknown', 'x\n<shellId: 0 completed with exit code 0>', undefined, { async: true }],
])('a shell call %s: %j', (status, said, answer, input) => {
  const event = first(after('bash', { command: 'x', ...input }, said))
  expect(event).toMatchObject({ kind: status === 'failed' ? 'tool.failed' : 'tool.after', call: { status } })
  expect(event.answer).toBe(answer)
})

test('a result of another kind failed, one of no kind is unknown', () => {
  expect(first(after('view', { path: 'a' }, 'no', 'failure'))).toMatchObject({ kind: 'tool.failed', answer: 'no' })
  expect(first(after('view', { path: 'a' }, 'a')).call?.status).toBe('succeeded')
  expect(first(call('view', {}, { toolResult: 7 })).call?.status).toBe('unknown')
})

test('in the background a shell and an agent only begin, and what they say later is no prompt', () => {
  const lines = recordedSession('copilot-cli-background').map(payload => {
    const { kind, caller, call: made, prompt, answer } = first(payload)
    return [kind, caller.kind, made?.tool, made?.status, prompt?.source, answer].filter(Boolean).join(' ')
  })
  expect(lines).toEqual([
    'prompt.submit main user',
    'tool.before main Bash',
    'tool.after main Bash unknown',
    'tool.before main Bash',
    'tool.failed main Bash failed',
    'tool.before main Agent',
    'tool.after main Agent unknown',
    'prompt.submit agent agent',
    'agent.stop agent SUBDONE',
    'prompt.submit main system',
  ])
})

test('a recorded session', () => {
  const lines = recordedSession('copilot-cli').map(payload => {
    const { kind, call: made } = first(payload)
    return [kind, made?.tool, made?.status].filter(Boolean).join(' ')
  })
  const done = (tool: string) => [`tool.before ${tool}`, `tool.after ${tool} succeeded`]
  const failed = ['tool.before Bash', 'tool.failed Bash failed']
  expect(lines).toEqual([
    ...['session.start', 'prompt.submit', ...done('Read'), ...done('Bash'), ...done('Write'), ...failed],
    ...[...done('Bash'), ...failed, 'turn.stop', 'session.end'],
  ])
})

test('of agents of agents the parent is told, or the main agent', () => {
  const payloads = recordedSession('copilot-cli-agents')
  const main = first(payloads[0] ?? {}).session
  const agents = new Set(payloads.map(({ agentId }) => agentId))
  expect(agents.size).toBe(5)
  for (const payload of payloads) {
    const event = first(payload)
    const direct = event.session === main || event.session === payload.parentAgentId
    expect([event.name, direct]).toEqual([event.name, true])
    if (payload.transcriptPath !== undefined || isObject(payload.toolInput)) expect(event.session).toBe(main)
  }
})

test('nothing of it that is not there', () => {
  expect(() => client.decode({}, {})).toThrow('add `--event`')
  expect(first({}, 'preToolUse')).toEqual({
    kind: 'tool.before',
    client: 'copilot-cli',
    name: 'preToolUse',
    session: '',
    caller: { kind: 'main' },
  })
})
