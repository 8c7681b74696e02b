import { describe, expect, it } from 'vitest'
import type { Condition, Rule } from '../../src/engine/index.ts'
import { House } from './policy-sandbox.ts'

const PRELUDE = `
gates:
  other:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: agent.stop }, capture: { decision: { json: { type: object, properties: { target: { type: string } } } } } }
  g:
    initial: open
    bypass: { env: { MY_BYPASS: 1 } }
    rules:
`

/** The rule whose `when` is this, and the folder paths are relative to. */
function ruleOf(when: string): { rule: Rule; root: string; home: string } {
  const house = new House()
  house.user(`${PRELUDE}      - { when: ${when}, then: deny, message: m }\n`)
  const { program, problems } = house.load()
  expect(problems).toEqual([])
  const rule = program.gates.find(gate => gate.name === 'g')?.rules[0]
  if (!rule) throw new Error('no rule')
  return { rule, root: house.root, home: house.home }
}

/** Without the event every rule gets. */
function conditionOf(when: string): Condition {
  const { when: all } = ruleOf(when).rule
  if (!('all' in all)) return all
  const [event, ...rest] = all.all
  expect(event).toEqual({ key: 'event', in: ['tool.before'] })
  const [only] = rest
  return rest.length === 1 && only ? only : { all: rest }
}

const CASES: Readonly<Record<string, Condition>> = {
  '{ caller: [main, plugin:Router] }': { key: 'caller', in: ['main', 'router'] },
  '{ tool: Edit }': { key: 'tool', in: ['Edit'] },
  '{ tool: [RUN_shell_command, "mcp__*"] }': { key: 'tool', in: ['RUN_shell_command', 'Bash', 'mcp__*'] },
  '{ action: [write, delete] }': { key: 'action', in: ['write', 'delete'] },
  '{ command: /usr/bin/git commit --amend }': {
    key: 'command',
    in: [{ program: 'git', path: '/usr/bin/git', words: ['commit'], options: ['--amend'] }],
  },
  '{ command: $reading }': { key: 'command', in: [{ reading: true }] },
  '{ url: "https://github.com/:owner/*rest" }': {
    key: 'url',
    in: [{ template: { scheme: 'https', host: 'github.com', segments: [':owner', '*rest'] } }],
  },
  '{ url: [{ regex: "a+" }] }': { key: 'url', in: [{ regex: 'a+' }] },
  '{ agent: Plugin:Router }': { key: 'agent', in: ['router'] },
  '{ agent: "{other.decision.target}" }': { key: 'agent', in: ['{user/other.decision.target}'] },
  '{ prompt: [hello, { regex: "^x" }] }': { key: 'prompt', in: [{ has: 'hello' }, { regex: '^x' }] },
  '{ source: user }': { key: 'source', in: ['user'] },
  '{ input: { a.b: [1, true, x, { regex: "y" }] } }': {
    key: 'input',
    fields: [{ field: 'a.b', in: [{ is: '1' }, { is: 'true' }, { is: 'x' }, { regex: 'y' }] }],
  },
  '{ succeeded: true }': { key: 'succeeded', in: ['true'] },
  '{ succeeded: [false, unknown] }': { key: 'succeeded', in: ['false', 'unknown'] },
  '{ env: { CI: true } }': { key: 'env', fields: [{ field: 'CI', in: [{ is: 'true' }] }] },
  '{ env: CI }': { any: [{ key: 'env', fields: [{ field: 'CI', in: [{ has: '' }] }] }] },
  '{ assigns: { PATH: { regex: "^/tmp" } } }': {
    key: 'assigns',
    fields: [{ field: 'PATH', in: [{ regex: '^/tmp' }] }],
  },
  '{ assigns: $bypass-env }': {
    any: [
      { key: 'assigns', fields: [{ field: 'CLAUDE_ROUTER_BYPASS', in: [{ has: '' }] }] },
      { key: 'assigns', fields: [{ field: 'MY_BYPASS', in: [{ has: '' }] }] },
    ],
  },
  '{ gate: { other: open } }': { key: 'gate', states: [{ gate: 'user/other', state: ['open'] }] },
  '{ captured: { other.decision.target: builder } }': {
    key: 'captured',
    fields: [{ field: 'user/other.decision.target', in: [{ is: 'builder' }] }],
  },
  '{ since: { opened: { turns: 5 }, changed: { seconds: 3600, operations: 50 } } }': {
    key: 'since',
    counters: [
      { mark: 'opened', unit: 'turns', atLeast: 5 },
      { mark: 'changed', unit: 'seconds', atLeast: 3600 },
      { mark: 'changed', unit: 'operations', atLeast: 50 },
    ],
  },
  '{ whitelisted: true }': { key: 'whitelisted', is: true, layers: ['user', 'managed'] },
  '{ approved: false }': { key: 'approved', is: false },
  '{ not: { tool: Edit } }': { not: { key: 'tool', in: ['Edit'] } },
  '{ any: [{ tool: Edit }, { action: run, caller: main }] }': {
    any: [
      { key: 'tool', in: ['Edit'] },
      {
        all: [
          { key: 'caller', in: ['main'] },
          { key: 'action', in: ['run'] },
        ],
      },
    ],
  },
  '{ all: [{ tool: Edit }, { caller: main }] }': {
    all: [
      { key: 'tool', in: ['Edit'] },
      { key: 'caller', in: ['main'] },
    ],
  },
}

describe('every key of a condition', () => {
  for (const [when, condition] of Object.entries(CASES))
    it(when, () => {
      expect(conditionOf(when)).toEqual(condition)
    })

  it('paths are absolute, and sets are what the engine says', () => {
    const { rule, root, home } = ruleOf('{ path: [docs/, a.ts, "~/x", $secrets] }')
    expect(rule.when).toEqual({
      all: [
        { key: 'event', in: ['tool.before'] },
        {
          key: 'path',
          in: [
            { glob: `${root}/docs/**`, head: `${root}/docs` },
            { glob: `${root}/a.ts` },
            { glob: `${home}/x` },
            { glob: `${root}/.env` },
            { glob: `${home}/.ssh/**`, head: `${home}/.ssh` },
          ],
        },
      ],
    })
  })
})

describe('events', () => {
  const eventsOf = (when: string) => ruleOf(when).rule.events

  it('a rule without an event speaks of calls about to be made', () => {
    expect(eventsOf('{ command: [git commit, npm test], action: run }')).toEqual(['tool.before'])
    expect(eventsOf('{ command: $reading }')).toEqual(['tool.before'])
    expect(eventsOf('{ any: [{ command: git }] }')).toEqual(['tool.before'])
  })

  it('`tool.after` is every finished call, `tool.failed` only a failed one', () => {
    expect(eventsOf('{ event: tool.after }')).toEqual(['tool.after', 'tool.failed'])
    expect(eventsOf('{ event: tool.failed }')).toEqual(['tool.failed'])
  })

  it('branches add up, and one that names no event can be any', () => {
    expect(eventsOf('{ any: [{ event: agent.stop }, { event: prompt.submit, tool: x }] }')).toEqual([
      'prompt.submit',
      'agent.stop',
    ])
    expect(eventsOf('{ any: [{ event: agent.stop }, { tool: x }] }')).toHaveLength(13)
    expect(eventsOf('{ not: { event: [tool.before, other] } }')).toHaveLength(11)
  })

  it('a transition that names no event belongs to the clock', () => {
    const house = new House()
    house.user(`
gates:
  g:
    initial: open
    transitions:
      - { from: open, to: closed, when: { since: { opened: { turns: 5 } } } }
      - { id: named, from: [open, closed], to: closed, when: { any: [{ event: turn.stop }] } }
`)
    expect(house.load().program.gates[0]?.transitions).toEqual([
      {
        id: 'transition-1',
        from: ['open'],
        to: 'closed',
        clock: true,
        events: [],
        when: { key: 'since', counters: [{ mark: 'opened', unit: 'turns', atLeast: 5 }] },
        at: '~/.config/signalbox/signalbox.yaml:6',
      },
      {
        id: 'named',
        from: ['open', 'closed'],
        to: 'closed',
        clock: false,
        events: ['turn.stop'],
        when: { any: [{ key: 'event', in: ['turn.stop'] }] },
        at: '~/.config/signalbox/signalbox.yaml:7',
      },
    ])
  })
})
