import { describe, expect, test } from 'vitest'
import { clientById } from '../../src/clients/index.ts'
import { actionsOfTool, type Event } from '../../src/engine/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { captureNames, recordedSession } from '../support/clients/captures.ts'
import { fromPlugin } from './opencode-plugin.ts'
import { play } from './play-capture.ts'

const client = clientById('opencode')
if (client === undefined) throw new Error('opencode is not in the list')

const first = (payload: JsonObject): Event => {
  const [event] = client.decode(payload, {})
  if (event === undefined) throw new Error('no event')
  return event
}
const recorded = (name: string): readonly Event[] => client.decode(fromPlugin(name), {})
const calling = (tool: string, args: JsonObject, more: JsonObject = {}): JsonObject => ({
  hook_event_name: 'tool.execute.before',
  session_id: 's',
  caller: 'main',
  input: { tool, sessionID: 's', callID: 'c' },
  output: { args },
  ...more,
})

const KINDS: Readonly<Record<string, string>> = {
  'chat.message': 'prompt.submit',
  'event.message.part.updated.tool-error': 'tool.failed',
  'event.session.created': 'session.start',
  'event.session.created.subagent': 'agent.start',
  'event.session.idle': 'turn.stop',
  'tool.execute.after.bash.exit-1': 'tool.failed',
}
const kindOf = (name: string): string =>
  KINDS[name] ??
  (/^tool\.execute\.before/.test(name)
    ? 'tool.before'
    : /^tool\.execute\.after/.test(name)
      ? 'tool.after'
      : /^chat\.message/.test(name)
        ? 'prompt.submit'
        : 'other')

describe('decode', () => {
  const names = captureNames('opencode-1.18.33').map(name => name.slice(name.indexOf('/') + 1))
  test.each(names)('%s', name => {
    const events = recorded(name)
    expect(events.at(-1)).toMatchObject({ kind: kindOf(name), client: 'opencode', cwd: '/home/dev/proj' })
    expect(recorded(name)).toEqual(events)
    for (const event of events) expect(event.identity).toContain('2026-11-15T08:00:00.000Z')
  })

  test('a call', () => {
    expect(recorded('tool.execute.before.edit')).toMatchObject([
      {
        kind: 'tool.before',
        name: 'tool.execute.before',
        call: {
          tool: 'Edit',
          native: 'edit',
          id: 'call_0009builder',
          input: { filePath: '/home/dev/proj/src/sum.js', file_path: '/home/dev/proj/src/sum.js', new_string: 'a + b' },
        },
      },
    ])
  })

  test.each<[string, string | undefined, string | undefined]>([
    ['tool.execute.after', 'succeeded', 'hi\n'],
    ['tool.execute.after.bash.exit-1', 'failed', undefined],
    ['tool.execute.after.bash.timeout', 'unknown', undefined],
    ['tool.execute.after.write', 'succeeded', 'Wrote file successfully.'],
    ['event.message.part.updated.tool-error', 'failed', 'Transport error (GET http://127.0.0.1:1/user/repo/pull/42)'],
  ])('%s %s', (name, status, answer) => {
    const [event] = recorded(name)
    expect(event?.call?.status).toBe(status)
    if (answer !== undefined) expect(event?.answer).toBe(answer)
  })

  test('the end of a spawn is a stop and the end of a call', () => {
    expect(recorded('tool.execute.after.task')).toMatchObject([
      {
        kind: 'agent.stop',
        agent: 'router',
        caller: { kind: 'agent', id: expect.stringMatching(/^ses_/), type: 'router' },
        answer: expect.stringMatching(/^\{"intent":"bug_fix"/),
      },
      { kind: 'tool.after', caller: { kind: 'main' }, call: { tool: 'Agent', status: 'succeeded' } },
    ])
  })

  test('a spawn that goes on in the background has not stopped', () => {
    const payload = fromPlugin('tool.execute.after.task')
    const output = { output: '<task id="ses_1" state="running">\n</task>', metadata: {} }
    expect(client.decode({ ...payload, output }, {})).toMatchObject([
      { kind: 'tool.after', call: { status: 'unknown' } },
    ])
  })

  test.each<[string, JsonObject, Event['caller']]>([
    ['the main agent', { agent_type: 'build' }, { kind: 'main', type: 'build' }],
    [
      'an agent',
      { caller: 'agent', agent_id: 'ses_2', agent_type: 'router' },
      { kind: 'agent', id: 'ses_2', type: 'router' },
    ],
    ['nobody knows', { caller: 'unknown' }, { kind: 'unknown' }],
    ['nobody says', { caller: 7 }, { kind: 'unknown' }],
  ])('%s calls', (_, more, caller) => {
    expect(first(calling('bash', { command: 'ls' }, more)).caller).toEqual(caller)
  })

  test.each<[string, JsonObject, string]>([
    ['a person', { source: 'user' }, 'user'],
    ['a slash command', { source: 'command' }, 'command'],
    ['the client itself, or our own stop', { source: 'system' }, 'system'],
    ['an older plugin', { source: 7 }, 'user'],
    ['an agent', { source: 'user', caller: 'agent', agent_id: 'ses_2' }, 'agent'],
  ])('a prompt of %s', (_, more, source) => {
    expect(first({ ...fromPlugin('chat.message'), ...more }).prompt).toEqual({ text: '"go [[script:main]]"', source })
  })

  test.each<[string, JsonObject, string, unknown]>([
    ['read', { filePath: 'a' }, 'Read', ['a']],
    ['write', { filePath: 'a', content: '' }, 'Write', ['a']],
    ['glob', { pattern: '**', path: 'src' }, 'Glob', ['src']],
    ['webfetch', { url: 'https://a.io/x', format: 'text' }, 'WebFetch', ['https://a.io/x']],
    ['task', { subagent_type: 'router', prompt: 'p' }, 'Agent', ['router']],
    ['todowrite', { todos: [] }, 'TodoWrite', ['coordinate']],
    ['question', { questions: [] }, 'AskUserQuestion', ['ask']],
    ['constructor', {}, 'constructor', ['other']],
  ])('%s %j is %s', (native, input, tool, objects) => {
    const { call: made } = first(calling(native, input))
    expect(made).toMatchObject({ tool, input })
    const reading = actionsOfTool(made?.tool ?? '', made?.input ?? {})
    const acts = 'acts' in reading ? reading.acts : []
    expect(acts.map(act => act.url ?? act.agent ?? act.place?.lexical ?? act.action)).toEqual(objects)
  })

  test('a patch is read as one', () => {
    const { call: made } = first(calling('apply_patch', { patchText: '*** Begin Patch' }))
    expect(actionsOfTool(made?.tool ?? '', made?.input ?? {})).toEqual({ patch: '*** Begin Patch' })
  })

  test('an MCP tool is what the plugin says, but never one of the client itself', () => {
    const mcp = { mcp: { server: 'a b', tool: 'c' } }
    expect(first(calling('a_b_c', {}, mcp)).call).toMatchObject({ tool: 'mcp__a b__c', native: 'a_b_c' })
    expect(first(calling('apply_patch', {}, mcp)).call).toMatchObject({ tool: 'ApplyPatch' })
    expect(first(calling('a_b_c', {})).call).toMatchObject({ tool: 'a_b_c' })
  })
})

test('a rewritten call goes out in the fields of the client', () => {
  const payload = calling('edit', { filePath: 'a', oldString: 'x', newString: 'y' })
  const whole = client.rewritten?.(payload, { file_path: 'b', oldString: 'x', new_string: 'z' })
  expect(whole?.input).toEqual({ filePath: 'b', oldString: 'x', newString: 'z' })
  expect(first(whole?.payload ?? {}).call?.input).toMatchObject({ file_path: 'b', new_string: 'z' })
})

test('a recorded session, as the plugin sent it', () => {
  const { lines, session } = play(client, recordedSession('opencode'))
  expect(lines).toEqual([
    'session.start main',
    'prompt.submit build',
    'tool.before build Read',
    'tool.after build Read succeeded',
    'tool.before build Agent',
    'agent.start router router',
    'prompt.submit router',
    'tool.before router Read',
    'tool.after router Read succeeded',
    'agent.stop router router',
    'tool.after build Agent succeeded',
    'tool.before build WebFetch',
    'tool.failed build WebFetch failed',
    'tool.before build Bash',
    'tool.after build Bash succeeded',
    'tool.before build Write',
    'tool.after build Write succeeded',
    'tool.before build Agent',
    'agent.start builder builder',
    'prompt.submit builder',
    'tool.before builder Read',
    'tool.after builder Read succeeded',
    'tool.before builder Edit',
    'tool.after builder Edit succeeded',
    'agent.stop builder builder',
    'tool.after build Agent succeeded',
    'tool.before build Bash',
    'tool.after build Bash succeeded',
    'tool.before build Bash',
    'tool.before build Glob',
    'tool.failed build Glob failed',
    'tool.after build Bash succeeded',
    'tool.before build Bash',
    'tool.failed build Bash failed',
    'tool.before build TodoWrite',
    'tool.after build TodoWrite succeeded',
    // it was refused: a call that was never made has no end
    'tool.before build Bash',
    'tool.before build invalid',
    'tool.after build invalid succeeded',
    'tool.before build Bash',
    'tool.after build Bash unknown',
    'tool.before build Read',
    'tool.failed build Read failed',
    'turn.stop build',
  ])
  expect(session.turn).toBe(1)
})
