import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { type PluginSettings, renderPlugin } from '../../src/clients/index.ts'
import { BIN, withSandbox } from '../support/sandbox.ts'

/** The plugin as opencode loads it, in a host that does what opencode 1.18.33 was seen to do. */
const folder = mkdtempSync(join(tmpdir(), 'signalbox-plugin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Words = Record<string, unknown>
interface Hooks {
  config(config: Words): Promise<void>
  event(given: { event: Words }): Promise<void>
  'chat.message'(input: Words, output: { message: Words; parts: Words[] }): Promise<void>
  'command.execute.before'(input: Words): Promise<void>
  'tool.execute.before'(input: Words, output: { args: Words }): Promise<void>
  'tool.execute.after'(input: Words, output: Words): Promise<void>
}

let loaded = 0
async function load(
  settings: PluginSettings,
  directory = folder,
  parents: Record<string, string | undefined> = { s: undefined },
) {
  const file = join(folder, `plugin-${loaded++}.mjs`)
  writeFileSync(file, renderPlugin(settings))
  const { SignalboxPlugin } = await import(pathToFileURL(file).href)
  const toasts: string[] = []
  const prompts: unknown[] = []
  const aborted: string[] = []
  const client = {
    tui: { showToast: async ({ body }: { body: { message: string } }) => toasts.push(body.message) },
    session: {
      get: async ({ path: { id } }: { path: { id: string } }) => {
        if (!Object.hasOwn(parents, id)) throw new Error('no such session')
        return { data: { id, parentID: parents[id] } }
      },
      promptAsync: async (given: unknown) => prompts.push(given),
      abort: async ({ path: { id } }: { path: { id: string } }) => aborted.push(id),
    },
  }
  const hooks: Hooks = await SignalboxPlugin({ client, directory })
  return { hooks, toasts, prompts, aborted }
}

/** A hook that does this, once it has saved what it was given. */
const shell = (
  script: string,
  more: Partial<PluginSettings> = {},
): PluginSettings & { readonly sent: () => Words[] } => {
  const file = join(folder, `sent-${loaded}.jsonl`)
  return {
    command: ['sh', '-c', `cat >> ${file}; echo >> ${file}; ${script}`, 'signalbox'],
    onError: 'closed',
    ...more,
    sent: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
  }
}
const say = (words: object): string => `echo '${JSON.stringify(words)}'`
const call = (command = 'ls', sessionID = 's') =>
  [{ tool: 'bash', sessionID, callID: 'c' }, { args: { command } }] as const

describe('a call', () => {
  test('of which nothing is said runs as it is', async () => {
    const settings = shell('')
    const { hooks, toasts } = await load(settings)
    const [input, output] = call()
    await hooks['tool.execute.before'](input, output)
    expect([output, toasts]).toEqual([{ args: { command: 'ls' } }, []])
    expect(settings.sent()).toMatchObject([
      { hook_event_name: 'tool.execute.before', session_id: 's', caller: 'main', cwd: folder, input, output },
    ])
  })

  test('is refused by a throw, and its error is no second event', async () => {
    const settings = shell(say({ decision: 'deny', reason: 'Not so.', message: 'for you' }))
    const { hooks, toasts } = await load(settings)
    await expect(hooks['tool.execute.before'](...call())).rejects.toThrow(/^Not so\.$/)
    const part = {
      type: 'tool',
      tool: 'bash',
      callID: 'c',
      sessionID: 's',
      state: { status: 'error', error: 'Not so.' },
    }
    await hooks.event({ event: { type: 'message.part.updated', properties: { part } } })
    expect([settings.sent().length, toasts]).toEqual([1, ['for you', 'Not so.']])
    await hooks.event({ event: { type: 'message.part.updated', properties: { part: { ...part, callID: 'd' } } } })
    expect(settings.sent()[1]).toMatchObject({ hook_event_name: 'message.part.updated', session_id: 's' })
  })

  test('is refused by exit 2', async () => {
    const { hooks } = await load(shell('echo because >&2; exit 2'))
    await expect(hooks['tool.execute.before'](...call())).rejects.toThrow('because')
  })

  test('gets another input in the same object', async () => {
    const { hooks } = await load(shell(say({ input: { command: 'ls -l' } })))
    const [input, output] = call()
    const { args } = output
    await hooks['tool.execute.before'](input, output)
    expect(args).toEqual({ command: 'ls -l' })
  })

  test('gets words behind its result', async () => {
    const { hooks } = await load(shell(say({ context: 'And now?' })))
    const output: Words = { title: 't', output: 'hi', metadata: {} }
    await hooks['tool.execute.after']({ tool: 'bash', sessionID: 's', callID: 'c', args: {} }, output)
    const parts: Words = { content: [{ type: 'text', text: 'a' }] }
    await hooks['tool.execute.after']({ tool: 'm', sessionID: 's', callID: 'd', args: {} }, parts)
    expect([output.output, parts.content]).toEqual([
      'hi\n\nAnd now?',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'And now?' },
      ],
    ])
  })

  test('ends the session where that was said', async () => {
    const { hooks, aborted } = await load(shell(say({ continue: false })))
    await hooks['tool.execute.before'](...call())
    expect(aborted).toEqual(['s'])
  })

  test('is asked about once, however often the plugin is loaded', async () => {
    const settings = shell('')
    const [one, two] = [await load(settings), await load(settings)]
    const [input, output] = call()
    await one.hooks['tool.execute.before'](input, output)
    await two.hooks['tool.execute.before'](input, output)
    expect(settings.sent().length).toBe(1)
  })

  test('of an MCP server names it', async () => {
    const settings = shell('')
    const { hooks } = await load(settings)
    await hooks.config({ mcp: { 'my.box': {}, my: {} } })
    await hooks['tool.execute.before']({ tool: 'my_box_open', sessionID: 's', callID: 'c' }, { args: {} })
    expect(settings.sent()[0]?.mcp).toEqual({ server: 'my.box', tool: 'open' })
  })
})

describe('without an answer', () => {
  const FAULTS: readonly (readonly [string, Partial<PluginSettings> & { readonly script?: string }, RegExp])[] = [
    ['cannot be run', { command: ['/nowhere/signalbox'] }, /ENOENT/],
    ['hangs', { script: 'exec sleep 60', timeoutMs: 300 }, /no reply within 0\.3 s/],
    ['prints garbage', { script: 'echo hello' }, /did not print a valid reply/],
    ['prints a number', { script: 'echo 5' }, /did not print a valid reply/],
    [
      'prints the words of another agent',
      { script: `echo '{"hookSpecificOutput":{}}'` },
      /did not print a valid reply/,
    ],
    ['rewrites into no table', { script: `echo '{"input":[1]}'` }, /did not print a valid reply/],
    ['prints cut-off JSON', { script: `printf '{"decision":"de'` }, /did not print a valid reply/],
    ['decides what nobody knows', { script: say({ decision: 'perhaps' }) }, /did not print a valid reply/],
    ['refuses without a reason', { script: say({ decision: 'deny' }) }, /did not print a valid reply/],
    ['prints null', { script: 'echo null' }, /did not print a valid reply/],
    ['crashes', { script: 'exit 1' }, /ended with 1/],
    ['is killed', { script: 'kill -9 $$' }, /ended with SIGKILL/],
    ['prints without end', { script: 'exec yes' }, /printed more than 4 MB/],
  ]

  test.each(FAULTS)('a hook that %s: closed', async (_, { script = '', ...more }, why) => {
    const { hooks } = await load({ ...shell(script), ...more })
    await expect(hooks['tool.execute.before'](...call())).rejects.toThrow(
      /^signalbox: this call could not be evaluated/,
    )
    await expect(hooks['tool.execute.before'](...call('pwd'))).rejects.toThrow(why)
    // only calls are refused: never a prompt, never a stop
    const output = { message: { id: 'm' }, parts: [{ type: 'text', text: 'hi', id: 'p' }] }
    await hooks['chat.message']({ sessionID: 's' }, output)
    expect(output.parts).toHaveLength(1)
  })

  test.each(FAULTS)('a hook that %s: open', async (_, { script = '', ...more }, why) => {
    const { hooks, toasts } = await load({ ...shell(script), ...more, onError: 'open' })
    await hooks['tool.execute.before'](...call())
    expect(toasts).toHaveLength(1)
    expect(toasts[0]).toMatch(/^allowed without a check: /)
    expect(toasts[0]).toMatch(why)
  })
})

describe('who calls', () => {
  const parents = { s: undefined, child: 's', grandchild: 'child', loop: 'pool', pool: 'loop' }

  test.each([
    ['s', { session_id: 's', caller: 'main' }],
    ['child', { session_id: 's', caller: 'agent', agent_id: 'child' }],
    ['grandchild', { session_id: 's', caller: 'agent', agent_id: 'grandchild' }],
    ['loop', { caller: 'agent', agent_id: 'loop' }],
    ['nobody', { session_id: 'nobody', caller: 'unknown' }],
  ])('%s', async (id, expected) => {
    const settings = shell('')
    const { hooks } = await load(settings, folder, parents)
    await hooks['tool.execute.before'](...call('ls', id))
    expect(settings.sent()[0]).toMatchObject(expected)
  })

  test('is known from the event that made the session, without asking', async () => {
    const settings = shell('')
    const { hooks } = await load(settings)
    const info = { id: 'new', parentID: 's', agent: 'router' }
    await hooks.event({ event: { type: 'session.created', properties: { info } } })
    await hooks['tool.execute.before'](...call('ls', 'new'))
    const agent = { session_id: 's', caller: 'agent', agent_id: 'new', agent_type: 'router' }
    expect(settings.sent()).toMatchObject([{ hook_event_name: 'session.created', ...agent }, agent])
  })
})

describe('a prompt', () => {
  const message = (text: string, more: Words = {}) => ({
    message: { id: 'm', agent: 'build' },
    parts: [
      { type: 'text', text, id: 'prt_1', ...more },
      { type: 'file', url: 'data:x', id: 'prt_2' },
    ] as Words[],
  })

  test('gets a part more', async () => {
    const settings = shell(say({ context: 'Mind the gap.' }))
    const { hooks } = await load(settings)
    const output = message('hi')
    await hooks['chat.message']({ sessionID: 's' }, output)
    expect(output.parts[2]).toEqual({
      ...{ id: 'prt_2s', sessionID: 's', messageID: 'm', type: 'text' },
      ...{ text: 'Mind the gap.', synthetic: true },
    })
    expect(settings.sent()[0]).toMatchObject({
      source: 'user',
      agent_type: 'build',
      output: { parts: [{ text: 'hi' }] },
    })
    expect(JSON.stringify(settings.sent())).not.toContain('data:x')
  })

  test('that is refused does not reach the model, and the reason does', async () => {
    const { hooks } = await load(shell(say({ decision: 'deny', reason: 'No secrets.' })))
    const output = message('my secret')
    await hooks['chat.message']({ sessionID: 's' }, output)
    expect(output.parts).toHaveLength(1)
    expect(output.parts[0]).toMatchObject({ type: 'text', text: expect.stringContaining('No secrets.') })
  })

  test('is of a command, of the client, or of a person', async () => {
    const settings = shell('')
    const { hooks } = await load(settings)
    await hooks['command.execute.before']({ command: 'review', sessionID: 's' })
    await hooks['chat.message']({ sessionID: 's' }, message('Review it'))
    await hooks['chat.message']({ sessionID: 's' }, message('continue', { synthetic: true }))
    await hooks['chat.message']({ sessionID: 's' }, message('hi'))
    expect(settings.sent().map(({ source }) => source)).toEqual(['command', 'system', 'user'])
  })
})

describe('a stop', () => {
  const idle = (sessionID: string) => ({ event: { type: 'session.idle', properties: { sessionID } } })

  test('is held by a prompt, which is not the users', async () => {
    const settings = shell(say({ decision: 'deny', reason: 'Not yet.' }))
    const { hooks, prompts } = await load(settings)
    await hooks.event(idle('s'))
    expect(prompts).toEqual([{ path: { id: 's' }, body: { parts: [{ type: 'text', text: 'Not yet.' }] } }])
    await hooks['chat.message'](
      { sessionID: 's' },
      { message: { id: 'm' }, parts: [{ type: 'text', text: 'Not yet.' }] },
    )
    await hooks.event(idle('s'))
    expect(settings.sent()).toMatchObject([
      { stop_hook_active: false },
      { source: 'system' },
      { stop_hook_active: true },
    ])
  })

  test('of an agent is told by the end of its task', async () => {
    const settings = shell('')
    const { hooks } = await load(settings, folder, { s: undefined, child: 's' })
    await hooks.event(idle('child'))
    await hooks.event(idle('s'))
    expect(settings.sent().map(({ session_id }) => session_id)).toEqual(['s'])
  })
})

test('with the real command', () =>
  withSandbox(
    {
      user: 'gates:\n  g:\n    rules:\n      - { when: { event: tool.before, caller: main, action: write }, unsure: deny, then: deny, message: Let an agent. }\n',
    },
    async ({ home, project }) => {
      const command = ['env', `SIGNALBOX_HOME=${home}`, process.execPath, BIN]
      const { hooks } = await load({ command, onError: 'closed' }, project, { s: undefined, child: 's' })
      const edit = (sessionID: string) =>
        hooks['tool.execute.before'](
          { tool: 'write', sessionID, callID: sessionID },
          { args: { filePath: 'a', content: '' } },
        )
      await expect(edit('s')).rejects.toThrow(/^Let an agent\.$/)
      await expect(edit('child')).resolves.toBeUndefined()
      await expect(edit('nobody')).rejects.toThrow('Let an agent')
    },
  ))
