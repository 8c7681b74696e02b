import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientById, clients, DecodeError } from '../../src/clients/index.ts'
import type { Event } from '../../src/engine/index.ts'
import { DECISIONS, EVENT_KINDS, type EventKind, NO_OPINION, type Outcome } from '../../src/engine/index.ts'
import { callerLabel } from '../../src/engine/model/event.ts'
import { isObject, type JsonObject } from '../../src/lib/json.ts'
import { capture, captureNames, recordedSession } from '../support/clients/captures.ts'

const client = clientById('claude-code')
if (client === undefined) throw new Error('claude-code is not in the list')

const decodeOne = (payload: JsonObject, hint: { event?: string } = {}): Event => {
  const [event, ...more] = client.decode(payload, hint)
  if (event === undefined || more.length > 0) throw new Error('this client has one event a payload')
  return event
}

test.each(['preToolUse', 'pre_tool_use', 'PRETOOLUSE'])('an agent that runs its hooks may spell it %s', name => {
  const payload = { hook_event_name: name, session_id: 's', tool_name: 'Bash', tool_input: { command: 'ls' } }
  expect(decodeOne(payload)).toMatchObject({ kind: 'tool.before', call: { tool: 'Bash', input: { command: 'ls' } } })
})

const latest = (name: string): Event => decodeOne(capture(`claude-code-2.1.325/${name}`))

const NAMES: Readonly<Record<EventKind, string>> = {
  'session.start': 'SessionStart',
  'session.end': 'SessionEnd',
  'prompt.submit': 'UserPromptSubmit',
  'tool.before': 'PreToolUse',
  'tool.after': 'PostToolUse',
  'tool.failed': 'PostToolUseFailure',
  'permission.request': 'PermissionRequest',
  'agent.start': 'SubagentStart',
  'agent.stop': 'SubagentStop',
  'turn.stop': 'Stop',
  'compact.before': 'PreCompact',
  notification: 'Notification',
  other: 'PostToolBatch',
}

test('clients are sorted by id and found by it', () => {
  expect(clients.map(({ id }) => id)).toEqual(clients.map(({ id }) => id).toSorted())
  expect(clients.every(one => clientById(one.id) === one)).toBe(true)
  expect(clientById('nobody')).toBeUndefined()
})

describe('decode', () => {
  const names = ['claude-code-2.1.197', 'claude-code-2.1.325'].flatMap(captureNames)

  test.each(names)('%s', name => {
    const payload = capture(name)
    const event = decodeOne(payload)
    const known = EVENT_KINDS.find(kind => kind !== 'other' && NAMES[kind] === payload.hook_event_name)
    expect(event).toMatchObject({
      kind: known ?? 'other',
      client: 'claude-code',
      name: payload.hook_event_name,
      session: payload.session_id,
      caller: { kind: payload.agent_id === undefined ? 'main' : 'agent' },
      cwd: payload.cwd,
    })
    expect(event.call?.tool).toBe(payload.tool_name)
    expect(event.call?.input).toEqual(payload.tool_input)
    expect(event.identity !== undefined).toBe(
      payload.tool_use_id !== undefined || payload.hook_event_name === 'UserPromptSubmit',
    )
  })

  test('a call of the main agent', () => {
    expect(latest('PreToolUse.Bash')).toEqual({
      kind: 'tool.before',
      client: 'claude-code',
      name: 'PreToolUse',
      session: 'ecb3788d-b723-447e-8b8d-ce435acf1ff6',
      caller: { kind: 'main' },
      cwd: '/home/dev/proj',
      permissions: 'default',
      call: { tool: 'Bash', input: { command: 'echo hello', description: 'x' }, id: 'toolu_0001main', acts: [] },
      identity: expect.stringMatching(/^\["PreToolUse","6d80a733-[^"]+","toolu_0001main","\/home\/dev\/proj","Bash/),
    })
  })

  test('an agent that stopped', () => {
    expect(latest('SubagentStop')).toEqual({
      kind: 'agent.stop',
      client: 'claude-code',
      name: 'SubagentStop',
      session: 'ecb3788d-b723-447e-8b8d-ce435acf1ff6',
      caller: { kind: 'agent', id: 'aa38b007f9af9ef2d', type: 'general-purpose' },
      cwd: '/home/dev/proj',
      permissions: 'default',
      agent: 'general-purpose',
      answer: 'SUB FINISHED',
      stopActive: false,
    })
  })

  test.each([
    ['SubagentStart', { kind: 'agent.start', agent: 'general-purpose', caller: { id: 'aa38b007f9af9ef2d' } }],
    ['Stop', { kind: 'turn.stop', stopActive: false }],
    ['PermissionRequest', { kind: 'permission.request', call: { tool: 'Bash' } }],
    ['PreToolUse.subagent.Write', { caller: { kind: 'agent', id: 'aa38b007f9af9ef2d', type: 'general-purpose' } }],
    ['PostToolUse.Bash', { call: { status: 'succeeded' }, answer: 'hello' }],
    ['PostToolUse.subagent.Bash.background', { call: { status: 'succeeded' }, answer: 'in' }],
    ['PostToolUse.Agent', { call: { status: 'succeeded' }, answer: 'SUB FINISHED' }],
    ['PostToolUse.subagent.Agent', { call: { status: 'succeeded' }, answer: 'S2' }],
    ['PostToolUse.TaskCreate', { answer: '{"task":{"id":"1","subject":"s","description":"d"}}' }],
    ['PostToolUseFailure.Bash', { kind: 'tool.failed', call: { status: 'failed' }, answer: 'Exit code 3' }],
    ['UserPromptSubmit', { prompt: { text: 'go [[script:main]]', source: 'user' } }],
    ['UserPromptSubmit.background', { prompt: { source: 'system' } }],
    ['UserPromptExpansion', { kind: 'other' }],
  ])('%s', (name, expected) => {
    expect(latest(name)).toMatchObject(expected)
  })

  test.each(['PostToolUse.Bash.background', 'PostToolUse.Agent.background'])('%s has not ended', name => {
    const { call, answer } = latest(name)
    expect({ status: call?.status, answer }).toEqual({ status: 'unknown', answer: undefined })
  })

  test('a recorded session', () => {
    const events = recordedSession('claude-code').map(payload => decodeOne(payload))
    const line = ({ kind, caller, call, agent }: Event): string =>
      [kind, callerLabel(caller), call?.tool ?? agent, call?.status].filter(Boolean).join(' ')
    expect(events.map(line)).toEqual([
      'session.start main',
      'prompt.submit main',
      'tool.before main Read',
      'tool.after main Read succeeded',
      'tool.before main Agent',
      'agent.start router router',
      'tool.before router Read',
      'tool.after router Read succeeded',
      'agent.stop router router',
      'tool.after main Agent succeeded',
      'tool.before main WebFetch',
      'tool.failed main WebFetch failed',
      'tool.before main Bash',
      'tool.after main Bash succeeded',
      'tool.before main Write',
      'tool.after main Write succeeded',
      'tool.before main Agent',
      'agent.start builder builder',
      'tool.before builder Bash',
      'tool.after builder Bash succeeded',
      'agent.stop builder builder',
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
    const identities = events.flatMap(({ identity }) => identity ?? [])
    expect(new Set(identities).size).toBe(identities.length)
    expect(recordedSession('claude-code').flatMap(payload => decodeOne(payload).identity ?? [])).toEqual(identities)
  })

  test.each<[string, JsonObject, unknown]>([
    ['interrupted', { tool_response: { stdout: '', interrupted: true } }, 'unknown'],
    ['timed out', { tool_response: { stdout: '', timedOutAfterMs: 120_000 } }, 'unknown'],
    ['an exit code the client explains', { tool_response: { stdout: '', returnCodeInterpretation: 'x' } }, 'unknown'],
    ['background without a result', { tool_input: { run_in_background: true } }, 'unknown'],
    [
      'background that ran after all',
      { tool_input: { run_in_background: true }, tool_response: { stdout: 'x' } },
      'succeeded',
    ],
    ['a monitor', { tool_name: 'Monitor', tool_response: { taskId: 'x', timeoutMs: 1 } }, 'unknown'],
    ['an agent the person talks to', { tool_name: 'Task', tool_response: { status: 'sub_agent_entered' } }, 'unknown'],
    ['a string', { tool_response: 'done' }, 'succeeded'],
  ])('status: %s', (_, fields, status) => {
    const event = decodeOne({ hook_event_name: 'PostToolUse', tool_name: 'Bash', ...fields })
    expect(event.call?.status).toBe(status)
  })

  test.each<[JsonObject, unknown]>([
    [{ prompt: 'fix it' }, 'user'],
    [{ prompt: '/hello bob' }, 'command'],
    [{ prompt: '/plugin:run' }, 'command'],
    [{ prompt: '/hello', source: 'user' }, 'command'],
    [{ prompt: '/home/dev/a.txt is wrong' }, 'user'],
    [{ prompt: '<command-message>hello</command-message>' }, 'command'],
    [{ prompt: '<system-reminder>x</system-reminder>' }, 'system'],
    [{ prompt: '<local-command-stdout>x' }, 'system'],
    [{ prompt: '<task-notification>x', source: 'sdk' }, 'system'],
    [{ prompt: '<task-notification> is what it says', source: 'user' }, 'user'],
    [{ prompt: '<div> is not closed' }, 'user'],
    [{ prompt: 'go', source: 'sdk' }, 'user'],
    [{ prompt: 'go', source: 'loop_wakeup' }, 'system'],
    [{ prompt: 'go', source: 'poll_event' }, 'system'],
    [{ prompt: 'go', source: 'user', agent_id: 'a1' }, 'agent'],
    [{ prompt: 7 }, 'user'],
  ])('source of %j is %s', (fields, source) => {
    expect(decodeOne({ hook_event_name: 'UserPromptSubmit', ...fields }).prompt?.source).toBe(source)
  })

  test.each<[JsonObject, string, unknown]>([
    [{}, 'PreToolUse', { kind: 'main' }],
    [{ agent_type: 'reviewer' }, 'PreToolUse', { kind: 'main', type: 'reviewer' }],
    [{ agent_id: 'a1' }, 'PreToolUse', { kind: 'agent', id: 'a1' }],
    [{ agent_id: '', agent_type: 7 }, 'PreToolUse', { kind: 'main' }],
    [{ agent_type: 'router' }, 'SubagentStop', { kind: 'unknown' }],
  ])('caller of %j on %s', (fields, name, caller) => {
    expect(decodeOne({ hook_event_name: name, ...fields }).caller).toEqual(caller)
  })

  test('an old tool name is translated and kept', () => {
    const { call } = decodeOne({ hook_event_name: 'PreToolUse', tool_name: 'Task', tool_input: [] })
    expect(call).toEqual({ tool: 'Agent', native: 'Task', input: {}, acts: [] })
  })

  test('the payload beats the hint, the hint beats nothing', () => {
    expect(decodeOne({ hook_event_name: 'Stop' }, { event: 'PreToolUse' }).kind).toBe('turn.stop')
    expect(decodeOne({ hook_event_name: 7 }, { event: 'PreToolUse' }).kind).toBe('tool.before')
    expect(() => client.decode({}, {})).toThrow(DecodeError)
  })

  test('one id used for two calls is two identities', () => {
    const call = (fields: JsonObject) =>
      decodeOne({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'call_0', prompt_id: 'p', ...fields })
    const calls = [{ tool_input: { command: 'ls' } }, { tool_input: { command: 'rm a' } }, { prompt_id: 'q' }, {}]
    expect(new Set(calls.map(fields => call(fields).identity)).size).toBe(calls.length)
  })

  test('an input nested too deep to print is still a call', () => {
    const deep: unknown = JSON.parse(`{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
    if (!isObject(deep)) throw new Error('an object')
    const payload = { hook_event_name: 'PostToolUse', tool_name: 'x', tool_use_id: 'i', tool_input: deep }
    const event = decodeOne({ ...payload, tool_response: deep })
    // Node 20 cannot print it, newer ones can: with an identity or without, it is a call
    expect([event.call?.tool, event.call?.id]).toEqual(['x', 'i'])
  })

  test('nothing crashes it', () => {
    const keys = fc.constantFrom(
      ...['hook_event_name', 'session_id', 'agent_id', 'agent_type', 'tool_name', 'tool_input', 'tool_response'],
      ...['tool_use_id', 'prompt', 'prompt_id', 'source', 'error', 'stop_hook_active', 'last_assistant_message', 'cwd'],
    )
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(NAMES), 'Agent', 'Bash', '__proto__'))
    fc.assert(
      fc.property(fc.dictionary(keys, values), fc.option(fc.string(), { nil: undefined }), (fields, event) => {
        const payload: unknown = JSON.parse(JSON.stringify(fields))
        if (!isObject(payload)) return
        try {
          const decoded = client.decode(payload, { event })
          expect(decoded.every(({ kind }) => EVENT_KINDS.includes(kind))).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('encode', () => {
  const eventOf = (kind: EventKind): Event => decodeOne({ hook_event_name: NAMES[kind] })
  const reply = (kind: EventKind, outcome: Partial<Outcome>) =>
    client.encode({ ...NO_OPINION, ...outcome }, eventOf(kind))
  const inner = (name: string, fields: JsonObject) => ({ hookSpecificOutput: { hookEventName: name, ...fields } })
  const deny: Partial<Outcome> = { decision: 'deny', reason: 'no' }
  const block = { decision: 'block', reason: 'no' }

  test.each(EVENT_KINDS)('no opinion on %s is silence', kind => {
    expect(reply(kind, {})).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })

  test.each<[EventKind, Partial<Outcome>, JsonObject | '']>([
    ['tool.before', deny, inner('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' })],
    [
      'tool.before',
      { decision: 'ask', reason: 'sure?', context: 'c', message: 'm' },
      {
        systemMessage: 'm',
        ...inner('PreToolUse', {
          permissionDecision: 'ask',
          permissionDecisionReason: 'sure?',
          additionalContext: 'c',
        }),
      },
    ],
    [
      'tool.before',
      { decision: 'allow', reason: 'ok' },
      inner('PreToolUse', { permissionDecision: 'allow', permissionDecisionReason: 'ok' }),
    ],
    ['tool.before', { context: 'c' }, inner('PreToolUse', { additionalContext: 'c' })],
    ['tool.before', { continue: false }, { continue: false }],
    ['tool.before', { suppressOutput: true }, { suppressOutput: true }],
    ['permission.request', deny, inner('PermissionRequest', { decision: { behavior: 'deny', message: 'no' } })],
    [
      'permission.request',
      { decision: 'allow', reason: 'ok' },
      inner('PermissionRequest', { decision: { behavior: 'allow' } }),
    ],
    ['permission.request', { decision: 'ask', reason: 'sure?', message: 'm' }, { systemMessage: 'sure?\nm' }],
    ['permission.request', { context: 'c' }, ''],
    ['tool.after', { ...deny, context: 'c' }, { ...block, ...inner('PostToolUse', { additionalContext: 'c' }) }],
    ['tool.failed', deny, block],
    ['tool.failed', { context: 'c' }, inner('PostToolUseFailure', { additionalContext: 'c' })],
    ['prompt.submit', deny, block],
    ['prompt.submit', { context: 'c' }, inner('UserPromptSubmit', { additionalContext: 'c' })],
    ['turn.stop', deny, block],
    ['turn.stop', { context: 'c' }, ''],
    ['agent.stop', { ...deny, context: 'c' }, block],
    ['session.start', { context: 'c' }, inner('SessionStart', { additionalContext: 'c' })],
    ['agent.start', { context: 'c' }, inner('SubagentStart', { additionalContext: 'c' })],
    ['compact.before', deny, block],
    ['notification', { message: 'm', context: 'c' }, { systemMessage: 'm' }],
    ['session.end', { message: 'm', context: 'c', continue: false }, ''],
    ['other', { ...deny, message: 'm', context: 'c', continue: false, suppressOutput: true }, ''],
  ])('%s %j', (kind, outcome, expected) => {
    const { exitCode, stdout, stderr } = reply(kind, outcome)
    expect({ exitCode, stderr, words: stdout === '' ? '' : JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      stderr: '',
      words: expected,
    })
  })

  test('a long text is cut before the client would move it to a file', () => {
    const at = (length: number) => JSON.parse(reply('notification', { message: 'x'.repeat(length) }).stdout)
    expect(at(10_000).systemMessage).toHaveLength(10_000)
    expect(at(10_001).systemMessage).toBe(`${'x'.repeat(9_900)}… (cut: 10001 characters in all)`)
    const pair = JSON.parse(reply('notification', { message: `x${'🚦'.repeat(6_000)}` }).stdout)
    expect(pair.systemMessage).toBe(`x${'🚦'.repeat(4_949)}… (cut: 12001 characters in all)`)
  })

  test('is nothing, or one line with one object of known keys', () => {
    const outcomes = fc.record({
      decision: fc.constantFrom(...DECISIONS),
      reason: fc.string({ unit: 'binary' }),
      context: fc.string({ unit: 'binary' }),
      message: fc.string({ unit: 'binary' }),
      continue: fc.boolean(),
      suppressOutput: fc.boolean(),
    })
    const known = /^(continue|suppressOutput|systemMessage|decision|reason|hookSpecificOutput)$/
    const knownInside = /^(hookEventName|permissionDecision|permissionDecisionReason|additionalContext|decision)$/
    fc.assert(
      fc.property(outcomes, fc.constantFrom(...EVENT_KINDS), (outcome, kind) => {
        const { exitCode, stdout, stderr } = client.encode(outcome, eventOf(kind))
        expect([exitCode, stderr, stdout.includes('\n')]).toEqual([0, '', false])
        if (stdout === '') return
        const words: unknown = JSON.parse(stdout)
        if (!isObject(words)) throw new Error(`no object: ${stdout}`)
        expect(Object.keys(words).filter(key => !known.test(key))).toEqual([])
        if (words.hookSpecificOutput === undefined) return
        if (!isObject(words.hookSpecificOutput)) throw new Error(`no object: ${stdout}`)
        expect(words.hookSpecificOutput.hookEventName).toBe(NAMES[kind])
        expect(Object.keys(words.hookSpecificOutput).filter(key => !knownInside.test(key))).toEqual([])
      }),
    )
  })

  test('every denial the table promises has words', () => {
    const promised = EVENT_KINDS.filter(kind => client.capabilities.events[kind]?.can.includes('deny'))
    expect(promised.filter(kind => reply(kind, { decision: 'deny' }).stdout === '')).toEqual([])
    const carrying = EVENT_KINDS.filter(kind => client.capabilities.events[kind]?.context)
    expect(carrying.filter(kind => !reply(kind, { context: 'c' }).stdout.includes('"c"'))).toEqual([])
  })
})

describe('failure', () => {
  const line = 'signalbox: no store'
  const refusal =
    'signalbox: this call could not be evaluated, so the policy denies it: no store. Tell the user; trying again will not help until this is fixed.'
  const SHOWN = EVENT_KINDS.filter(kind => client.capabilities.events[kind]?.message)
  const passed = (kind: EventKind) => ({
    exitCode: 0,
    stdout: SHOWN.includes(kind) ? '{"systemMessage":"signalbox: allowed without a check: no store"}' : '',
    stderr: line,
  })

  test('most events can tell the person', () => {
    expect(SHOWN.length).toBeGreaterThan(8)
  })

  test.each(EVENT_KINDS)('open lets %s pass, and says so where it is seen', kind => {
    expect(client.failure('open', { kind }, 'no\n  store')).toEqual(passed(kind))
  })

  test.each(EVENT_KINDS.filter(kind => kind !== 'tool.before' && kind !== 'permission.request'))(
    'closed cannot deny %s',
    kind => {
      expect(client.failure('closed', { kind }, 'no store')).toEqual(passed(kind))
    },
  )

  test('closed denies a call by exit 2, known by kind or by name', () => {
    const denied = { exitCode: 2, stdout: '', stderr: refusal, refuses: true }
    expect(client.failure('closed', { kind: 'tool.before' }, 'no store')).toEqual(denied)
    expect(client.failure('closed', { name: 'PreToolUse' }, 'no store')).toEqual(denied)
    expect(client.failure('closed', {}, 'no store')).toEqual(denied)
  })

  test('closed denies a permission request in words: it ignores exit 2', () => {
    const { exitCode, stdout } = client.failure('closed', { name: 'PermissionRequest' }, 'no store')
    expect({ exitCode, words: JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      words: {
        hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: refusal } },
      },
    })
  })
})
