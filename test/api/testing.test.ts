import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { defineGate, deny, pass } from '../../src/index.ts'
import { PolicyError, type PolicyEvent, policy, policyFile } from '../../src/testing.ts'
import { removeFolder } from '../support/remove-folder.ts'

const PUSH = `
  gates:
    push-needs-tests:
      initial: closed
      transitions:
        - { id: proven, from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
        - { id: edited, from: open, to: closed, when: { event: tool.before, action: [write, delete] } }
      rules:
        - { id: unproven, while: closed, when: { command: git push }, then: deny, message: Run npm test first. }
`
const rule = (when: string, then = 'deny', more = '') =>
  `gates: { one: { ${more} rules: [ { id: r, when: { ${when} }, then: ${then}, message: no } ] } }`

describe('policy', () => {
  it('keeps the state between events, and forgets it on reset', () => {
    const p = policy(PUSH)
    expect(p.gates()).toEqual({ 'push-needs-tests': 'closed' })
    expect(p.event({ shell: 'git push' })).toEqual({
      decision: 'deny',
      reason: 'Run npm test first.',
      context: '',
      message: '',
      gate: 'push-needs-tests',
      rule: 'unproven',
      hasWarning: false,
      matches: [{ gate: 'push-needs-tests', rule: 'unproven', decision: 'deny', effect: 'deny', isUnsure: false }],
      moves: [],
      gates: { 'push-needs-tests': 'closed' },
      notes: [],
    })
    const { decision, moves, gates } = p.event({ shell: 'npm test', after: 'succeeded' })
    expect({ decision, moves, gates }).toEqual({
      decision: 'pass',
      moves: [{ gate: 'push-needs-tests', from: 'closed', to: 'open' }],
      gates: { 'push-needs-tests': 'open' },
    })
    expect(p.event('git push').decision).toBe('pass')
    p.event({ edit: 'src/a.ts', as: 'builder' })
    expect(p.event('git push').decision).toBe('deny')
    p.event({ shell: 'npm test', after: 'succeeded' })
    p.reset()
    expect([p.gates(), p.event('git push').decision]).toEqual([{ 'push-needs-tests': 'closed' }, 'deny'])
  })

  it.each<[PolicyEvent, string]>([
    [{ shell: 'ls && git push' }, 'command: git push'],
    [{ write: 'src/a.ts' }, 'action: write, path: src/**'],
    [{ edit: 'src/a.ts' }, 'action: write, path: src/**'],
    [{ read: '.env' }, 'action: read, path: .env'],
    [{ delete: 'src/a.ts' }, 'action: delete'],
    [{ fetch: 'https://example.com/x' }, 'action: fetch'],
    [{ spawn: 'reviewer' }, 'action: spawn, agent: reviewer'],
    [{ tool: 'mcp__db__query', input: { sql: 'drop' } }, 'tool: mcp__db__query'],
    [{ prompt: 'release it' }, 'event: prompt.submit, prompt: { regex: release }'],
    [{ stop: true }, 'event: turn.stop'],
    [{ stops: 'reviewer', answer: 'ok' }, 'event: agent.stop, agent: reviewer'],
    [{ shell: 'ls', env: { CI: 'true' } }, 'command: ls, env: { CI: "true" }'],
    [
      { payload: { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: { command: 'ls' } } },
      'command: ls',
    ],
  ])('takes events as policy tests write them: %j', (event, when) => {
    expect(policy(rule(when)).event(event).gate).toBe('one')
  })

  it('gives a state to a gate of the project once, not again in each session', () => {
    const shared = PUSH.replace('initial: closed', 'scope: project\n      initial: closed')
    const p = policy(shared, { given: { 'push-needs-tests': 'open' } })
    expect(p.event({ shell: 'git push', session: 'first' }).decision).toBe('pass')
    p.event({ edit: 'src/a.ts', session: 'first' })
    expect(p.event({ shell: 'git push', session: 'second' }).decision).toBe('deny')
  })

  it('answers as the named agent would be answered', () => {
    const p = policy(PUSH, { client: 'codex-cli' })
    const { gates, notes } = p.event({ shell: 'npm test', after: 'succeeded' })
    expect({ gates, notes }).toEqual({
      gates: { 'push-needs-tests': 'closed' },
      notes: ['Codex CLI does not report how a command ended'],
    })
  })

  it('begins in the states that are given', () => {
    const p = policy(PUSH, { given: { 'push-needs-tests': 'open' } })
    expect([p.gates(), p.event('git push').decision]).toEqual([{ 'push-needs-tests': 'open' }, 'pass'])
  })

  it('has a state for each agent where the gate says so', () => {
    const p = policy(PUSH.replace('initial: closed', 'initial: closed\n      scope: agent'))
    p.event({ shell: 'npm test', after: 'succeeded', as: 'builder' })
    expect([p.gates(), p.gates('builder')]).toEqual([{ 'push-needs-tests': 'closed' }, { 'push-needs-tests': 'open' }])
  })

  it('lets time pass only with `wait`', () => {
    const p = policy(`
      gates:
        short:
          initial: closed
          transitions: [ { id: over, from: closed, to: open, when: { since: { closed: { seconds: 60 } } } } ]
          rules: [ { id: r, while: closed, when: { command: ls }, then: deny, message: no } ]
    `)
    expect(
      [p.event('ls'), p.event({ wait: 30, shell: 'ls' }), p.event({ wait: 31, shell: 'ls' })].map(one => one.decision),
    ).toEqual(['deny', 'deny', 'pass'])
  })

  it('tells a warning and an observer from silence', () => {
    const warns = policy(rule('command: ls', 'deny', 'mode: warn,')).event('ls')
    const observes = policy(rule('command: ls', 'deny', 'mode: observe,')).event('ls')
    expect([warns.decision, warns.hasWarning, warns.matches[0]?.effect]).toEqual(['pass', true, 'warn'])
    expect([observes.decision, observes.hasWarning, observes.matches[0]?.effect]).toEqual(['pass', false, 'none'])
  })

  it('runs gates in code in this process, with what the hook gives them', () => {
    const seen: unknown[] = []
    const code = defineGate({
      on: 'tool.before',
      judge(event, { state }) {
        seen.push(event.call.actions, state)
        return event.call.actions.some(({ kind }) => kind === 'write') ? deny('not today') : pass()
      },
    })
    const p = policy('gates: { quiet: { code: ./quiet.mjs } }', { folder: '/proj', code: { quiet: code } })
    expect(p.event({ write: 'a.txt' })).toMatchObject({
      decision: 'deny',
      gate: 'quiet',
      rule: 'code',
      reason: 'not today',
    })
    expect(p.event('echo $X').decision).toBe('pass')
    expect(seen).toEqual([
      [{ kind: 'write', path: '/proj/a.txt', isOpaque: false }],
      'open',
      [expect.objectContaining({ kind: 'run', command: 'echo …', words: ['echo', null], isOpaque: false })],
      'open',
    ])
  })

  it('says so where code answers what is no verdict', () => {
    // @ts-expect-error
    const late = policy('gates: { quiet: { code: ./q.mjs } }', { code: { quiet: { judge: async () => pass() } } })
    expect(late.event('ls').notes).toEqual([expect.stringContaining('not a promise')])
    // @ts-expect-error
    const wrong = policy('gates: { quiet: { code: ./q.mjs } }', { code: { quiet: { judge: () => true } } })
    expect(wrong.event('ls').notes).toEqual([expect.stringContaining('did not return a verdict')])
  })

  it('reads a file and writes nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-api-'))
    const before = process.env.SIGNALBOX_HOME
    process.env.SIGNALBOX_HOME = join(folder, 'home')
    try {
      writeFileSync(join(folder, 'my.yaml'), PUSH)
      const p = policyFile(join(folder, 'my.yaml'))
      p.event({ write: 'a.txt' })
      expect(p.event('git push').decision).toBe('deny')
      expect(policyFile(pathToFileURL(join(folder, 'my.yaml'))).event('git push').decision).toBe('deny')
      expect(readdirSync(folder)).toEqual(['my.yaml'])
    } finally {
      if (before === undefined) delete process.env.SIGNALBOX_HOME
      else process.env.SIGNALBOX_HOME = before
      removeFolder(folder)
    }
  })
})

describe('a mistake', () => {
  const thrown = (work: () => unknown): Error => {
    try {
      work()
    } catch (error) {
      if (error instanceof Error) return error
    }
    throw new Error('nothing was thrown')
  }

  it('in the name of the file is told with the whole path', () => {
    const error = thrown(() => policyFile(join(tmpdir(), 'no-such-policy.yaml')))
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toMatch(/^signalbox: the policy \/.*no-such-policy\.yaml cannot be read: ENOENT/)
  })

  it('in the policy has its place, the line and the help', () => {
    const error = thrown(() => policy('gates:\n  tests:\n    rulez: []\n', { file: 'rules/team.yaml' }))
    expect(error).toBeInstanceOf(PolicyError)
    expect(error.message).toContain('rules/team.yaml:3:5 unknown key `rulez` in gate `tests`\n  3 |     rulez: []\n')
    expect(error.message).toContain('did you mean `rules`?')
    expect(error).toMatchObject({ name: 'PolicyError', diagnostics: [{ severity: 'error', line: 3, column: 5 }] })
    expect(thrown(() => policy('a: [')).message).toMatch(/^signalbox\.yaml:1:4 /)
  })

  it.each<[unknown, string]>([
    [{ shel: 'ls' }, 'unknown key `shel` in the event; did you mean `shell`?'],
    [{ shell: 'npm test', succeeded: true }, "write `after: 'succeeded'`"],
    [{ shell: 'ls', write: 'a' }, '`shell` and `write` are two events'],
    [{}, 'this step has no event'],
    [{ event: 'tool.befor' }, 'did you mean `tool.before`?'],
    [{ shell: 'ls', client: 'claude-cod' }, 'unknown client `claude-cod`'],
    [{ shell: 'ls', expect: 'deny' }, '`expect` belongs to policy tests'],
    [{ prompt: 'a', output: 'b' }, '`output` has no effect here'],
    [{ payload: { a: 1 } }, 'Claude Code does not send this'],
    [{ payload: 'file.json' }, 'not a JSON object'],
    [3, 'not an event'],
    [undefined, 'not an event'],
  ])('in the event %j is an error', (event, words) => {
    const error = thrown(() => policy(PUSH).event(event as PolicyEvent))
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toContain(words)
  })

  it('in the options is an error', () => {
    // @ts-expect-error
    expect(() => policy(PUSH, { client: 'claude' })).toThrow('unknown client `claude`')
    const options = (written: object) => written
    expect(() => policy(PUSH, options({ state: {} }))).toThrow('unknown option `state`; one of client, given, env')
    expect(() => policy(PUSH, { given: { 'push-need-tests': 'open' } })).toThrow('did you mean `push-needs-tests`?')
    // @ts-expect-error
    expect(() => policy(PUSH, { given: { 'push-needs-tests': 'ajar' } })).toThrow('must be open or closed')
    expect(() => policy(rule('command: ls'), { given: { one: 'open' } })).toThrow('has no state')
    expect(() => policy('gates: { quiet: { code: ./q.mjs } }')).toThrow("pass it as `code: { 'quiet': module }`")
    expect(() => policy(PUSH, { code: { quiet: { judge: () => pass() } } })).toThrow('unknown gate in code `quiet`')
    // @ts-expect-error
    expect(() => policy(undefined)).toThrow('needs the text of a policy')
  })
})
