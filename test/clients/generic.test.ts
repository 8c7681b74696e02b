import { describe, expect, test } from 'vitest'
import { clientById } from '../../src/clients/index.ts'
import { NO_OPINION } from '../../src/engine/index.ts'
import * as shell from '../../src/engine/shell/index.ts'
import { withActions } from '../../src/hook/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'

const client = clientById('generic')
if (client === undefined) throw new Error('generic is not in the list')

const decode = (payload: JsonObject) => client.decode(payload, {})
const PATCH = '*** Begin Patch\n*** Update File: a\n*** Delete File: b\n*** End Patch'
const WRITE = { tool_name: 'Write', tool_input: { file_path: 'a' } }
const SPAWN = { tool_name: 'Task', tool_input: { subagent_type: 'router', prompt: 'p' } }
const by = (agent_name: string, more: JsonObject = {}): JsonObject => ({ context: { agent_name, ...more } })

describe('decode', () => {
  test('the input of the protocol', () => {
    expect(decode({ ...WRITE, ...by('developer', { session_id: 's' }), cwd: '/p' })).toEqual([
      {
        kind: 'tool.before',
        client: 'generic',
        name: 'tool.before',
        session: 's',
        caller: { kind: 'main', type: 'developer' },
        cwd: '/p',
        call: { tool: 'Write', input: { file_path: 'a' }, acts: [] },
      },
    ])
  })

  test.each<[string, JsonObject, readonly object[]]>([
    ['nothing at all is a call', {}, [{ kind: 'tool.before', caller: { kind: 'main' } }]],
    ['an event is named', { event: 'turn.stop' }, [{ kind: 'turn.stop' }]],
    ['an unknown event is kept', { event: 'model.swapped' }, [{ kind: 'other', name: 'model.swapped' }]],
    ['a prompt alone', { prompt: 'go' }, [{ kind: 'prompt.submit', prompt: { text: 'go', source: 'user' } }]],
    ['a result', { ...WRITE, tool_result: 'ok' }, [{ kind: 'tool.after', answer: 'ok', call: { status: 'unknown' } }]],
    [
      'exit code 0',
      { ...WRITE, tool_result: { exit_code: 0 } },
      [{ kind: 'tool.after', call: { status: 'succeeded' } }],
    ],
    ['exit code 3', { ...WRITE, tool_result: { exit_code: 3 } }, [{ kind: 'tool.failed', call: { status: 'failed' } }]],
    ['an error', { ...WRITE, tool_result: { error: 'no' } }, [{ kind: 'tool.failed' }]],
    ['said to have failed', { ...WRITE, event: 'tool.failed' }, [{ kind: 'tool.failed', call: { status: 'failed' } }]],
    [
      'an id makes a subagent',
      { ...WRITE, agent_id: 'x', ...by('b') },
      [{ caller: { kind: 'agent', id: 'x', type: 'b' } }],
    ],
    ['a role names too', { ...WRITE, context: { agent_role: 'b' } }, [{ caller: { kind: 'main', type: 'b' } }]],
    ['the router by role', { ...WRITE, ...by('x', { agent_role: 'Router' }) }, [{ caller: { type: 'Router' } }]],
    [
      'a result of the router',
      { tool_result: '{}', ...by('plugin:Router') },
      [{ kind: 'agent.stop', agent: 'router', answer: '{}' }],
    ],
    [
      'a result of a call that ends the router',
      { tool_name: 'finish', tool_result: '{}', ...by('router') },
      [{ kind: 'agent.stop', agent: 'router' }, { kind: 'tool.after' }],
    ],
    ...['Write', 'Read', 'Grep', 'Bash', 'WebFetch', 'WebSearch', 'LSP', 'read_file', 'apply_patch'].map(
      (tool_name): [string, JsonObject, readonly object[]] => [
        `what the router gets from ${tool_name} is not its last word`,
        { tool_name, tool_input: { file_path: 'a' }, tool_result: '{}', ...by('router') },
        [{ kind: 'tool.after', answer: '{}' }],
      ],
    ),
    [
      'a result of a spawn',
      { ...SPAWN, tool_result: [{ type: 'text', text: '{}' }], ...by('boss') },
      [
        { kind: 'agent.stop', agent: 'router', answer: '{}', caller: { kind: 'unknown' } },
        { kind: 'tool.after', caller: { type: 'boss' } },
      ],
    ],
    [
      'a launch',
      { ...SPAWN, tool_result: { status: 'async_launched' } },
      [{ kind: 'tool.after', call: { status: 'unknown' } }],
    ],
    ['a spawn that failed', { ...SPAWN, tool_result: { is_error: true } }, [{ kind: 'tool.failed' }]],
  ])('%s', (_, payload, events) => {
    const decoded = decode(payload)
    expect(decoded).toHaveLength(events.length)
    expect(decoded).toMatchObject(events)
  })
})

describe('tools by the names that agents are known for', () => {
  const acts = (tool_name: string, tool_input: JsonObject): readonly string[] => {
    const [event] = decode({ tool_name, tool_input })
    if (!event) throw new Error('a payload holds an event')
    const { call } = withActions(event, { root: '/p', cwd: '/p', home: '/h', shell: () => shell })
    return (call?.acts ?? []).map(({ action, words, place, url, agent }) =>
      [action, words?.map(word => word.text).join(' ') ?? place?.lexical ?? url ?? agent].filter(Boolean).join(' '),
    )
  }

  test.each<[string, JsonObject, readonly string[]]>([
    ['write_file', { file_path: 'a', content: '' }, ['write /p/a']],
    ['write_file', { path: 'a' }, ['write /p/a']],
    ['WRITE_FILE', { path: 'a' }, ['write /p/a']],
    ['write_file', {}, ['write']],
    ['write', { filePath: 'a' }, ['write /p/a']],
    ['edit', { filePath: 'a' }, ['write /p/a']],
    ['replace', { file_path: 'a' }, ['write /p/a']],
    ['str_replace_editor', { command: 'str_replace', path: 'a' }, ['write /p/a']],
    ['str_replace_based_edit_tool', { command: 'view', path: 'a' }, ['read /p/a']],
    ['apply_patch', { input: PATCH }, ['write /p/a', 'delete /p/b']],
    ['apply_patch', { patchText: PATCH }, ['write /p/a', 'delete /p/b']],
    ['apply_patch', { command: PATCH }, ['write /p/a', 'delete /p/b']],
    ['apply_patch', {}, ['other']],
    ['create', { path: 'a' }, ['write /p/a']],
    ['create', { title: 'a ticket' }, ['other']],
    ['view', { path: 'a' }, ['read /p/a']],
    ['delete_file', { target_file: 'a' }, ['delete /p/a']],
    ['run_shell_command', { command: 'echo x > a' }, ['run echo x', 'write /p/a']],
    ['execute_command', { cmd: 'git push' }, ['run git push']],
    ['run_command', { command_line: 'git push' }, ['run git push']],
    ['bash', { command: 'git push' }, ['run git push']],
    ['shell', { command: 'git push' }, ['run git push']],
    ['shell', { name: 'tortoise' }, ['other']],
    ['run_shell_command', { command: ['git', 'push'] }, ['other']],
    ['web_fetch', { prompt: 'read https://a.io/x.' }, ['fetch https://a.io/x']],
    ['web_fetch', { url: 'https://a.io/x' }, ['fetch https://a.io/x']],
    ['fetch_webpage', { urls: ['https://a.io', 'https://b.io'] }, ['fetch https://a.io', 'fetch https://b.io']],
    ['fetch', { url: 'https://a.io/x' }, ['fetch https://a.io/x']],
    ['fetch', { from: 'the shelf' }, ['other']],
    ['invoke_agent', { agent_name: 'router' }, ['spawn router']],
    ['task', { subagent_type: 'router' }, ['spawn router']],
    ['write_todos', {}, ['coordinate']],
    ['ask_user', {}, ['ask']],
    ['list_directory', { dir_path: 'src' }, ['search /p/src']],
    ['constructor', { path: 'a' }, ['other']],
    ['__proto__', { path: 'a' }, ['other']],
    ['polish', { path: 'a' }, ['other']],
  ])('%s %o', (tool, input, done) => {
    expect(acts(tool, input)).toEqual(done)
  })

  test('a run in the background by any name of it proves nothing', () => {
    for (const name of ['run_in_background', 'is_background', 'background']) {
      const [event] = decode({ tool_name: 'run_shell_command', tool_input: { command: 'make', [name]: true } })
      expect(event?.call?.input.run_in_background).toBe(true)
    }
  })
})

describe('encode', () => {
  const [event] = decode(WRITE)
  if (event === undefined) throw new Error('no event')

  test.each([
    [{}, { decision: 'approve' }],
    [{ decision: 'allow', reason: 'fine' }, { decision: 'approve' }],
    [
      { decision: 'deny', reason: 'no' },
      { decision: 'block', reason: 'no' },
    ],
    [
      { decision: 'ask', reason: 'sure?' },
      { decision: 'block', reason: 'sure?' },
    ],
    [
      { context: 'a', message: 'b' },
      { decision: 'approve', warning: 'a\nb' },
    ],
    [{ continue: false }, { decision: 'block', reason: 'Decided by the Signalbox policy.' }],
  ] as const)('%j', (outcome, words) => {
    expect(JSON.parse(client.encode({ ...NO_OPINION, ...outcome }, event).stdout)).toEqual(words)
    const metadata = { enforcement_version: '1.0.0', decision_time_ms: 3 }
    const told = client.encode({ ...NO_OPINION, ...outcome }, event, { tookMs: 3 }).stdout
    expect(JSON.parse(told)).toEqual({ ...words, metadata })
  })

  test.each([
    ['input', 'Invalid input JSON'],
    ['state', 'State read error'],
    [undefined, 'Hook error: boom'],
  ] as const)('a failure of %s approves with its warning', (cause, warning) => {
    const { exitCode, stdout } = client.failure('open', { kind: 'tool.before', cause }, 'boom')
    expect({ exitCode, words: JSON.parse(stdout) }).toEqual({ exitCode: 0, words: { decision: 'approve', warning } })
  })
})
