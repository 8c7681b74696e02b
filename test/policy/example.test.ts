import { describe, expect, it } from 'vitest'
import { parseEventShorthand } from '../../src/policy/compile/compiler.ts'
import { House } from './policy-sandbox.ts'

const policy = (rule: string): string => `gates:\n  g:\n    rules:\n      - ${rule}\n`

describe('examples', () => {
  it('that hold are silent', () => {
    const house = new House()
    const text = policy(
      `{ id: r, when: { caller: main, action: [write, delete] }, unless: { path: docs/ }, then: deny, message: m, examples: {
          stops: [ "echo x > a", { write: src/a.ts }, { tool: Edit, path: a.ts }, { delete: a } ],
          passes: [ ls, { write: docs/a.md }, { write: src/a.ts, as: builder }, { read: a }, { prompt: hi }, { stop: true } ] } }`,
    )
    expect(house.problems(text)).toEqual([])
  })

  it('that do not hold are problems at their place', () => {
    const house = new House()
    expect(
      house.problems(
        policy(
          '{ id: r, when: { command: git commit }, then: deny, message: m, examples: { stops: [git status], passes: [git commit -m x, { foo: 1 }, {}] } }',
        ),
      ),
    ).toEqual([
      'signalbox.yaml:4:93 example `git status` of rule `r` in gate `g` should stop but passes',
      'signalbox.yaml:4:115 example `git commit -m x` of rule `r` in gate `g` should pass but stops',
      'signalbox.yaml:4:132 example `foo: 1` of rule `r` in gate `g` cannot be read: unknown key `foo`; did you mean `tool`?',
      expect.stringMatching(
        /^signalbox.yaml:4:144 example `` of rule `r` in gate `g` cannot be read: it needs one of shell, /,
      ),
    ])
  })

  it.each([
    [
      'then: deny',
      'stops',
      'should stop but only warns: Signalbox cannot determine for certain whether the rule matches',
    ],
    [
      'then: deny',
      'passes',
      'should pass but only warns: Signalbox cannot determine for certain whether the rule matches',
    ],
    ['then: deny, unsure: pass', 'stops', 'should stop but passes'],
    ['then: deny, unsure: deny', 'stops', undefined],
    ['then: ask, unsure: ask', 'stops', undefined],
    ['then: warn', 'stops', undefined],
  ])('a line that may be about it: %s, %s', (then, wanted, why) => {
    const rule = `{ id: r, when: { command: git commit }, ${then}, message: m, examples: { ${wanted}: [git comit -m x] } }`
    expect(new House().problems(policy(rule))).toEqual(
      why ? [expect.stringMatching(`example \`git comit -m x\` of rule \`r\` in gate \`g\` ${why}$`)] : [],
    )
  })

  it('of routes are fetches', () => {
    const house = new House()
    const route = 'url: "https://github.com/:o/:r/pull/:n", message: m'
    expect(
      house.problems(
        `routes: { a: { ${route}, examples: { stops: ["https://github.com/a/b/pull/1", { shell: "curl https://github.com/a/b/pull/1" }], passes: ["https://github.com/a/b"] } } }`,
      ),
    ).toEqual([])
    expect(house.problems(`routes: { a: { ${route}, examples: { stops: ["https://github.com/a"] } } }`)).toEqual([
      'signalbox.yaml:1:89 example `https://github.com/a` of route `a` in gate `routes` should stop but passes',
    ])
  })

  it('of a rule about finished calls are finished calls', () => {
    const house = new House()
    expect(
      house.problems(
        policy(
          '{ id: r, when: { event: tool.after, command: npm test }, then: warn, message: m, examples: { stops: [npm test, { shell: npm test, after: failed }] } }',
        ),
      ),
    ).toEqual([])
  })
})

describe('events in short form', () => {
  const read = (short: Record<string, unknown>) => parseEventShorthand(short, { root: '/p', home: '/h' })
  const base = { client: 'example', session: 'example', caller: { kind: 'main' }, cwd: '/p' }

  it.each([
    [
      { write: 'a.ts', as: 'builder' },
      {
        kind: 'tool.before',
        caller: { kind: 'agent', id: 'builder', type: 'builder' },
        call: {
          tool: 'Write',
          input: { file_path: 'a.ts' },
          acts: [{ action: 'write', place: { lexical: '/p/a.ts' } }],
        },
      },
    ],
    [
      { fetch: 'https://a.b' },
      { kind: 'tool.before', call: { tool: 'WebFetch', acts: [{ action: 'fetch', url: 'https://a.b' }] } },
    ],
    [{ spawn: 'router' }, { call: { tool: 'Agent', acts: [{ action: 'spawn', agent: 'router' }] } }],
    [
      { shell: 'npm test', after: 'succeeded' },
      { kind: 'tool.after', call: { tool: 'Bash', status: 'succeeded', acts: [{ action: 'run' }] } },
    ],
    [
      { shell: 'npm test', after: 'failed' },
      { kind: 'tool.failed', call: { status: 'failed' } },
    ],
    [
      { tool: 'mcp__a__b', input: { x: 1 } },
      { call: { tool: 'mcp__a__b', input: { x: 1 }, acts: [{ action: 'mcp' }] } },
    ],
    [
      { prompt: 'hi', source: 'command' },
      { kind: 'prompt.submit', prompt: { text: 'hi', source: 'command' } },
    ],
    [
      { stops: 'router', answer: '{}' },
      { kind: 'agent.stop', agent: 'router', answer: '{}', caller: { kind: 'agent', id: 'router', type: 'router' } },
    ],
    [
      { starts: 'router' },
      { kind: 'agent.start', agent: 'router', caller: { kind: 'agent', id: 'router', type: 'router' } },
    ],
    [
      { stop: true, caller: 'unknown' },
      { kind: 'turn.stop', caller: { kind: 'unknown' } },
    ],
  ])('%o', (short, event) => {
    expect(read(short)).toMatchObject({ event: { ...base, ...event } })
  })

  it('what cannot be read is said', () => {
    expect(read({ shel: 'x' })).toEqual({ problem: 'unknown key `shel`; did you mean `shell`?' })
    expect(read({ prompt: 'x', source: 'nobody' })).toEqual({ problem: 'unknown `source`' })
  })
})
