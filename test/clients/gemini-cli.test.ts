import { describe, expect, test } from 'vitest'
import { objectField } from '../../src/clients/adapter/decode.ts'
import { clientById } from '../../src/clients/index.ts'
import { actionsOfTool, type Event } from '../../src/engine/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { capture, captureNames, recordedSession } from '../support/clients/captures.ts'
import { play } from './play-capture.ts'

const client = clientById('gemini-cli')
if (client === undefined) throw new Error('gemini-cli is not in the list')

const recorded = (name: string): readonly Event[] => client.decode(capture(`gemini-cli-0.61.0/${name}`), {})
const call = (tool_name: string, tool_input: JsonObject, more: JsonObject = {}): JsonObject => ({
  hook_event_name: 'BeforeTool',
  tool_name,
  tool_input,
  ...more,
})
const first = (payload: JsonObject): Event => {
  const [event] = client.decode(payload, {})
  if (event === undefined) throw new Error('no event')
  return event
}

const KINDS: Readonly<Record<string, string>> = {
  SessionStart: 'session.start',
  SessionEnd: 'session.end',
  BeforeAgent: 'prompt.submit',
  AfterAgent: 'turn.stop',
  BeforeTool: 'tool.before',
  AfterTool: 'tool.after',
  PreCompress: 'compact.before',
}

describe('decode', () => {
  test.each(captureNames('gemini-cli-0.61.0'))('%s', name => {
    const payload = capture(name)
    const events = client.decode(payload, {})
    const kind = KINDS[String(payload.hook_event_name)] ?? 'other'
    const { session_id: session, cwd, hook_event_name } = payload
    expect(events.map(event => event.kind)).toContain(kind)
    for (const event of events)
      expect(event).toMatchObject({ client: 'gemini-cli', name: hook_event_name, session, cwd })
    expect(events.find(event => event.call)?.call?.native).toBe(payload.tool_name)
    expect(events.find(event => event.call)?.call?.input ?? {}).toMatchObject(objectField(payload, 'tool_input'))
    const identities = events.map(event => event.identity)
    expect(new Set(identities).size).toBe(events.length)
    expect(client.decode(payload, {}).map(event => event.identity)).toEqual(identities)
  })

  test('a call', () => {
    expect(recorded('BeforeTool.replace')).toEqual([
      {
        kind: 'tool.before',
        client: 'gemini-cli',
        name: 'BeforeTool',
        session: 'c6e28ef3-0dbe-4260-b9b3-535b6735a374',
        caller: { kind: 'unknown' },
        cwd: '/home/dev/proj',
        at: Date.parse('2026-11-15T07:13:55.571Z'),
        call: {
          tool: 'Edit',
          native: 'replace',
          input: { file_path: '/home/dev/proj/a.txt', old_string: 'x', new_string: 'y', instruction: 'change' },
          id: expect.stringMatching(/^replace\/[a-z0-9]+$/),
          acts: [],
        },
        identity: expect.stringMatching(/^\["BeforeTool","tool\.before","2026-11-15T07:13:55\.571Z",/),
      },
    ])
  })

  test('the last word of an agent is a call and a stop', () => {
    expect(recorded('BeforeTool.complete_task')).toMatchObject([
      { kind: 'tool.before', call: { tool: 'CompleteTask', native: 'complete_task' } },
      { kind: 'agent.stop', caller: { kind: 'unknown' }, answer: '{"response":"SUBDONE"}' },
    ])
  })

  test('the end of a spawn is a stop and the end of a call', () => {
    expect(recorded('AfterTool.invoke_agent')).toMatchObject([
      { kind: 'agent.stop', agent: 'generalist', answer: '{\n  "response": "SUBDONE"\n}' },
      { kind: 'tool.after', caller: { kind: 'main' }, call: { tool: 'Agent', status: 'succeeded' } },
    ])
  })

  test.each<[string, JsonObject, readonly string[]]>([
    ['cut off', { returnDisplay: { state: 'completed', terminateReason: 'MAX_TURNS', result: 'x' } }, ['tool.after']],
    [
      'cut off, in words',
      { llmContent: "Subagent 'a' finished.\nTermination Reason: TIMEOUT\nResult:\nx" },
      ['tool.after'],
    ],
    ['still running', { returnDisplay: { state: 'running' } }, ['tool.after']],
    ['failed', { error: { message: 'no' } }, ['tool.failed']],
    [
      'in words',
      { llmContent: "Subagent 'a' finished.\nTermination Reason: GOAL\nResult:\nx" },
      ['agent.stop', 'tool.after'],
    ],
  ])('a spawn that %s', (_, tool_response, kinds) => {
    const payload = call(
      'invoke_agent',
      { agent_name: 'a', prompt: 'p' },
      { hook_event_name: 'AfterTool', tool_response },
    )
    expect(client.decode(payload, {}).map(event => event.kind)).toEqual(kinds)
  })

  test.each<[status: string, llmContent: string, answer: string, input: JsonObject]>([
    ['succeeded', '<untrusted_context>\nOutput: hi\nProcess Group PGID: 7\n</untrusted_context>', 'hi', {}],
    ['succeeded', 'Output: (empty)\nBackground PIDs: 8\nProcess Group PGID: 7', '(empty)', {}],
    ['succeeded', 'Output: Exit Code: 3\nall well\nProcess Group PGID: 7', 'Exit Code: 3\nall well', {}],
    [
      'failed',
      '<untrusted_context>\nOutput: a\nb\nExit Code: 128\nProcess Group PGID: 7\n</untrusted_context>',
      'a\nb',
      {},
    ],
    ['failed', 'Output: \nSignal: 9\nProcess Group PGID: 7', '', {}],
    ['failed', 'Output: Exit Code: 0\nExit Code: 1\nProcess Group PGID: 7', 'Exit Code: 0', {}],
    ['unknown', 'Output: x\nError: spawn ENOENT\nProcess Group PGID: 7', '', {}],
    ['unknown', 'Command was cancelled by user before it could complete.', '', {}],
    ['unknown', 'Command moved to background (PID: 7). Output hidden.', '', {}],
    ['unknown', 'The tests passed, says the summary.', '', {}],
    ['unknown', 'Output: hi\nProcess Group PGID: 7', '', { is_background: true }],
  ])('a shell call %s: %j', (status, llmContent, answer, input) => {
    const payload = call('run_shell_command', { command: 'x', ...input }, { hook_event_name: 'AfterTool' })
    const event = first({ ...payload, tool_response: { llmContent, returnDisplay: '' } })
    expect(event).toMatchObject({ kind: status === 'failed' ? 'tool.failed' : 'tool.after', call: { status } })
    expect(event.answer ?? '').toBe(answer)
  })

  test.each<[string, JsonObject, string, unknown]>([
    [
      'web_fetch',
      { prompt: 'see https://a.io/x, (https://b.io/y_(z)) and https://a.io/x.' },
      'WebFetch',
      ['https://a.io/x', 'https://b.io/y_(z)'],
    ],
    ['web_fetch', { prompt: 'nothing here' }, 'WebFetch', [null]],
    ['web_fetch', { url: 'https://c.io', prompt: 'https://a.io' }, 'WebFetch', ['https://c.io']],
    ['invoke_agent', { agent_name: 'router', prompt: 'p' }, 'Agent', ['router']],
    ['list_directory', { dir_path: 'src' }, 'LS', ['src']],
    ['grep_search', { pattern: 'x', dir_path: 'src' }, 'Grep', ['src']],
    ['glob', { pattern: '**' }, 'Glob', ['.']],
    ['read_many_files', { include: ['src/**', 'a.md'] }, 'ReadManyFiles', ['src/**', 'a.md']],
    ['write_todos', { todos: [] }, 'TodoWrite', ['coordinate']],
    ['complete_task', { result: 'x' }, 'CompleteTask', ['coordinate']],
    ['ask_user', { questions: [] }, 'AskUserQuestion', ['ask']],
    ['activate_skill', { name: 'pdf' }, 'Skill', ['other']],
    ['frobnicate', { x: 1 }, 'frobnicate', ['other']],
    ['constructor', {}, 'constructor', ['other']],
  ])('%s %j is %s', (native, input, tool, objects) => {
    const { call: made } = first(call(native, input))
    expect(made).toMatchObject({ tool, native, input })
    const reading = actionsOfTool(made?.tool ?? '', made?.input ?? {})
    const acts = 'acts' in reading ? reading.acts : []
    expect(
      acts.map(act => (act.url !== undefined ? act.url : (act.agent ?? act.place?.lexical ?? act.action))),
    ).toEqual(objects)
  })

  test('of a hundred URLs none is left out for certain', () => {
    const prompt = Array.from({ length: 100 }, (_, nth) => `https://a.io/${nth}`).join(' ')
    const { call: made } = first(call('web_fetch', { prompt }))
    const reading = actionsOfTool('WebFetch', made?.input ?? {})
    expect('acts' in reading && reading.acts.at(-1)).toEqual({ action: 'fetch', url: null })
    const long = first(call('web_fetch', { prompt: `https://a.io/${')'.repeat(1_000_000)}` }))
    expect(long.call?.input.url).toBe('https://a.io/')
  })

  test('an MCP tool is what its context says', () => {
    const context = { mcp_context: { server_name: 'a_b', tool_name: 'c' } }
    expect(first(call('mcp_a_b_c', {}, context)).call).toMatchObject({ tool: 'mcp__a_b__c', native: 'mcp_a_b_c' })
    expect(first(call('mcp_a_b_c', {}, { mcp_context: 7 })).call).toMatchObject({ tool: 'mcp_a_b_c' })
  })

  test('one call more in the same instant is another event, the same payload is not', () => {
    const at = { timestamp: '2026-11-15T08:26:26.614Z' }
    const [a, b, c] = ['ls', 'ls -a', 'ls'].map(command => first(call('run_shell_command', { command }, at)).identity)
    expect([a === c, a === b, a === undefined]).toEqual([true, false, false])
    expect(first(call('run_shell_command', { command: 'ls' })).identity).toBeUndefined()
  })

  test('what the client itself puts in is no prompt of the user', () => {
    const source = (prompt: string) => first({ hook_event_name: 'BeforeAgent', prompt }).prompt?.source
    expect(['fix it', '<background_output>x', '<b> is not closed'].map(source)).toEqual(['user', 'system', 'user'])
  })
})

test('a recorded session, its callers inferred', () => {
  const { lines, session } = play(client, recordedSession('gemini-cli'))
  expect(lines).toEqual([
    'session.start main',
    'prompt.submit main',
    'tool.before main Read',
    'tool.after main Read succeeded',
    'tool.before main Agent',
    // so soon after the spawn it could be the main agent's, made beside it
    'tool.before unknown Read',
    'tool.after unknown Read succeeded',
    'tool.before router CompleteTask',
    'agent.stop router',
    'tool.after router CompleteTask succeeded',
    'other router router',
    'tool.after main Agent succeeded',
    'tool.before main WebFetch',
    'tool.failed main WebFetch failed',
    'tool.before main Bash',
    'tool.after main Bash succeeded',
    'tool.before main Write',
    'tool.after main Write succeeded',
    'tool.before main Agent',
    'tool.before unknown Edit',
    'tool.after unknown Edit succeeded',
    'tool.before builder CompleteTask',
    'agent.stop builder',
    'tool.after builder CompleteTask succeeded',
    'other builder builder',
    'tool.after main Agent succeeded',
    'tool.before main Bash',
    'tool.failed main Bash failed',
    'tool.before main Bash',
    'tool.after main Bash succeeded',
    'tool.before main Bash',
    'tool.failed main Bash failed',
    'turn.stop main',
    'session.end main',
  ])
  expect(session.spawns).toEqual([])
})
