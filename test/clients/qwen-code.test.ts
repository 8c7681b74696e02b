import { describe, expect, test } from 'vitest'
import { objectField } from '../../src/clients/adapter/decode.ts'
import { clientById } from '../../src/clients/index.ts'
import { actionsOfTool, type Event, NO_OPINION } from '../../src/engine/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { capture, captureNames, recordedSession } from '../support/clients/captures.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { play } from './play-capture.ts'

const client = clientById('qwen-code')
if (client === undefined) throw new Error('qwen-code is not in the list')

const first = (payload: JsonObject): Event => {
  const [event] = client.decode(payload, {})
  if (event === undefined) throw new Error('no event')
  return event
}
const recorded = (name: string): Event => first(capture(`qwen-code-0.24.4/${name}`))
const call = (tool_name: string, tool_input: JsonObject, more: JsonObject = {}): JsonObject => ({
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  ...more,
})

const KINDS: Readonly<Record<string, string>> = {
  SessionStart: 'session.start',
  UserPromptSubmit: 'prompt.submit',
  PreToolUse: 'tool.before',
  PostToolUse: 'tool.after',
  PostToolUseFailure: 'tool.failed',
  SubagentStart: 'agent.start',
  SubagentStop: 'agent.stop',
  Stop: 'turn.stop',
  Notification: 'notification',
}
/** To the client `grep` without a find is no failure. */
const FAILED = 'qwen-code-0.24.4/PostToolUse.run_shell_command.exit-1'

describe('decode', () => {
  test.each(captureNames('qwen-code-0.24.4'))('%s', name => {
    const payload = capture(name)
    const event = first(payload)
    const { session_id: session, cwd, hook_event_name, tool_name } = payload
    const kind = name === FAILED ? 'tool.failed' : (KINDS[String(hook_event_name)] ?? 'other')
    expect(event).toMatchObject({ kind, client: 'qwen-code', name: hook_event_name, session, cwd })
    expect(event.call?.native).toBe(tool_name)
    expect(event.call?.input ?? {}).toMatchObject(objectField(payload, 'tool_input'))
    expect(event.caller.kind).toBe(payload.agent_id === undefined ? 'main' : 'agent')
    expect(event.identity).toBe(first(payload).identity)
    expect(event.identity).toContain(String(payload.timestamp))
  })

  test("a subagent's call", () => {
    expect(recorded('PreToolUse.subagent.edit')).toMatchObject({
      kind: 'tool.before',
      caller: { kind: 'agent', id: 'builder-call_0007main', type: 'builder' },
      call: { tool: 'Edit', native: 'edit', id: expect.stringMatching(/^toolu_/) },
    })
  })

  test.each([
    ['code-reviewer-call_0007main', 'code-reviewer'],
    ['router-toolu_01AbC', 'router'],
    ['router-chatcmpl-tool-0a1b2c', 'router'],
    ['router-0a1b2c3d', 'router'],
    ['router-call_1-call_2', 'router-call_1'],
    ['router-3', undefined],
    ['router', undefined],
    ['worker@team', undefined],
  ])('the agent %s is a %s', (agent_id, type) => {
    const { caller } = first(call('edit', {}, { agent_id }))
    expect(caller).toEqual({ kind: 'agent', id: agent_id, ...(type && { type }) })
  })

  test.each<[string, Partial<Event>]>([
    ['UserPromptSubmit', { prompt: { text: 'go [[script:main]]', source: 'user' } }],
    ['UserPromptSubmit.after-tools', { prompt: { text: '', source: 'system' } }],
    ['Stop', { stopActive: false }],
    ['Stop.active', { stopActive: true }],
    ['SubagentStop', { agent: 'general-purpose', answer: 'SUBDONE' }],
    ['SubagentStart', { agent: 'general-purpose' }],
  ])('%s', (name, expected) => {
    expect(recorded(name)).toMatchObject(expected)
  })

  test('what is typed tells a command; an older version has only the prompt', () => {
    const source = (more: JsonObject) => first({ hook_event_name: 'UserPromptSubmit', ...more }).prompt?.source
    expect(source({ prompt: 'Review the code', submitted_prompt: '/review' })).toBe('command')
    expect(source({ prompt: '/home/dev/a.txt is wrong' })).toBe('user')
    expect(source({ prompt: 'go', agent_id: 'x' })).toBe('agent')
    expect(source({ prompt: 7 })).toBe('system')
  })

  test.each<[string, string | undefined, string | undefined]>([
    ['PostToolUse', 'succeeded', 'hi'],
    ['PostToolUse.run_shell_command.exit-1', 'failed', '(empty)'],
    ['PostToolUse.run_shell_command.background', 'unknown', undefined],
    ['PostToolUseFailure.read_file', 'failed', 'File not found: /home/dev/proj/nope.txt'],
    ['PostToolUseFailure.run_shell_command.signal', 'failed', '(empty)'],
    [
      'PostToolUseFailure.run_shell_command.like-a-report',
      'failed',
      'spoof\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: (none)',
    ],
    ['PostToolUse.agent', 'succeeded', 'SUBDONE'],
    ['PostToolUse.agent.background', 'unknown', undefined],
    ['PostToolUse.write_file', 'succeeded', 'Successfully created and wrote to new file: /home/dev/proj/a.txt.'],
  ])('%s has %s', (name, status, answer) => {
    const event = recorded(name)
    expect([event.call?.status, event.answer]).toEqual([status, answer])
  })

  test('an output too long is cut in its middle, and still says how it ended', () => {
    const { call: made, answer } = recorded('PostToolUse.run_shell_command.truncated')
    expect([made?.status, made?.folder]).toEqual(['succeeded', '/home/dev/proj/src'])
    expect(answer).toMatch(/^1\n2\n/)
  })

  const END = 'Error: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: (none)'
  test.each<[string, string]>([
    ['succeeded', `Command: x\nDirectory: (root)\nOutput: a\n${END}`],
    ['succeeded', `Command: x\nDirectory: (root)\nOutput: a\n${END}\n\nNote: this foreground command ran for 70s.`],
    ['succeeded', `Directory: (root)\nOutput: a\n${END}`],
    ['failed', `Command: x\nDirectory: (root)\nOutput: ${END}\n${END.replace('0', '2')}`],
    ['unknown', `Command: x\nDirectory: (root)\nOutput: \n${END.replace('Error: (none)', 'Error: spawn ENOENT')}`],
    ['unknown', `Command: x\nDirectory: (root)\nOutput: \n${END.replace('Exit Code: 0', 'Exit Code: (none)')}`],
    ['unknown', `Command was cancelled by user before it could complete. Below is the output:\n${END}`],
    ['unknown', `Command timed out after 5ms before it could complete. Below is the output:\nCommand: x\n${END}`],
    ['unknown', 'Background shell started.\nid: bg_1'],
    ['unknown', ''],
  ])('a shell call %s: %j', (status, llmContent) => {
    const payload = call('run_shell_command', { command: 'x' }, { hook_event_name: 'PostToolUse' })
    expect(first({ ...payload, tool_response: { llmContent } }).call?.status).toBe(status)
  })

  test('a long report is read in no time', () => {
    const payload = call('run_shell_command', { command: 'x' }, { hook_event_name: 'PostToolUse' })
    const llmContent = `Command: x\n${'\nError: (none)\nExit Code: 0\nSignal: '.repeat(50_000)}`
    const began = cpuMs()
    expect(first({ ...payload, tool_response: { llmContent } }).call?.status).toBe('unknown')
    expect(cpuMs() - began).toBeLessThan(2000)
  })

  test.each<[string, JsonObject, string, unknown]>([
    ['web_fetch', { url: 'https://a.io/x', prompt: 'p' }, 'WebFetch', ['https://a.io/x']],
    ['agent', { subagent_type: 'router', prompt: 'p' }, 'Agent', ['router']],
    ['agent', { prompt: 'p' }, 'Agent', ['general-purpose']],
    ['send_message', { task_id: 'router-call_1', message: 'm' }, 'SendMessage', ['router-call_1']],
    ['list_directory', { path: 'src' }, 'LS', ['src']],
    ['notebook_edit', { notebook_path: 'a.ipynb' }, 'NotebookEdit', ['a.ipynb']],
    ['edit', { file_path: 'a' }, 'Edit', ['a']],
    ['todo_write', { todos: [] }, 'TodoWrite', ['coordinate']],
    ['ask_user_question', { questions: [] }, 'AskUserQuestion', ['ask']],
    ['mcp__a__b', {}, 'mcp__a__b', ['mcp']],
    ['constructor', {}, 'constructor', ['other']],
  ])('%s %j is %s', (native, input, tool, objects) => {
    const { call: made } = first(call(native, input))
    expect(made).toMatchObject({ tool, input })
    const reading = actionsOfTool(made?.tool ?? '', made?.input ?? {})
    const acts = 'acts' in reading ? reading.acts : []
    expect(acts.map(act => act.url ?? act.agent ?? act.place?.lexical ?? act.action)).toEqual(objects)
  })
})

describe('encode', () => {
  const outcome = { ...NO_OPINION, decision: 'deny' as const, reason: 'No.' }

  test('a refused call, in the words it was seen to heed', () => {
    expect(JSON.parse(client.encode(outcome, recorded('PreToolUse')).stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'No.',
      },
    })
  })

  test('a stop that shall end everything says nothing: `continue` would make the agent go on', () => {
    const stopping = { ...NO_OPINION, continue: false }
    expect(client.encode(stopping, recorded('Stop')).stdout).toBe('')
    expect(client.encode(stopping, recorded('PostToolUse')).stdout).toBe('{"continue":false}')
  })
})

test('a recorded session', () => {
  const { lines, session } = play(client, recordedSession('qwen-code'))
  expect(lines.filter(line => !/^(other|notification)/.test(line))).toEqual([
    'session.start main',
    'prompt.submit main',
    'tool.before main Read',
    'tool.after main Read succeeded',
    'prompt.submit main',
    'tool.before main Agent',
    'agent.start router router',
    'tool.before router Read',
    'tool.after router Read succeeded',
    'agent.stop router router',
    'tool.after main Agent succeeded',
    'prompt.submit main',
    'tool.before main WebFetch',
    'tool.failed main WebFetch failed',
    'prompt.submit main',
    'tool.before main Bash',
    'tool.after main Bash succeeded',
    'prompt.submit main',
    'tool.before main Write',
    'tool.after main Write succeeded',
    'prompt.submit main',
    'tool.before main Agent',
    'agent.start builder builder',
    'tool.before builder Read',
    'tool.after builder Read succeeded',
    'tool.before builder Edit',
    'tool.after builder Edit succeeded',
    'agent.stop builder builder',
    'tool.after main Agent succeeded',
    'prompt.submit main',
    'tool.before main Bash',
    'tool.after main Bash succeeded',
    'prompt.submit main',
    'tool.before main Bash',
    'tool.after main Bash succeeded',
    'tool.before main Glob',
    'tool.after main Glob succeeded',
    'prompt.submit main',
    'tool.before main Bash',
    'tool.failed main Bash failed',
    'prompt.submit main',
    'tool.before main Bash',
    'tool.failed main Bash failed',
    'prompt.submit main',
    'tool.before main Bash',
    'tool.after main Bash unknown',
    'prompt.submit main',
    'turn.stop main',
    'prompt.submit main',
    'turn.stop main',
  ])
  // its own prompt; and the reason of a stop that a hook of somebody else refused, which only its own program could know
  expect(session.turn).toBe(2)
})
