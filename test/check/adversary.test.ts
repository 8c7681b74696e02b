import { describe, expect, it } from 'vitest'
import { describeStep, isProven, type VerificationResult } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { proofOf, withPolicies } from './ground.ts'
import { found, proofs } from './policies.ts'

/** A gate that this opens, and a rule of another one. */
const opened = (when: string, rule: string): string => `
gates:
  g:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: ${when} }]
    rules: [{ id: r, while: closed, when: { command: git commit }, then: deny, message: Not yet. }]
  other:
    rules: [{ id: t, ${rule}, then: deny, message: Not so. }]
`

describe('one value of a pattern is refused, and another is let through', () => {
  it.each([
    [
      'a folder, and one kind of file',
      '{ event: tool.before, action: write, path: notes/ }',
      'when: { action: write }, unless: { path: "**/*.md" }',
    ],
    [
      'a folder, and all names that come to mind',
      '{ event: tool.before, action: write, path: notes/ }',
      'when: { action: write, path: ["**/*.txt", "**/some*", "**/x*", "**/other*"] }',
    ],
    [
      'any word',
      '{ event: tool.after, command: "npm run *", succeeded: true }',
      'when: { command: ["npm run some", "npm run some1", "npm run x", "npm run word"] }',
    ],
    [
      'any word but one',
      '{ event: tool.before, command: "npm run *" }',
      'when: { command: npm }, unless: { command: npm run build }',
    ],
    [
      'a page, and a regex',
      '{ event: tool.before, action: fetch, url: "https://docs.acme.com/:page" }',
      'when: { url: { regex: "docs.acme.com/[a-y]" } }',
    ],
    [
      'a page, and a stricter regex',
      '{ event: tool.before, action: fetch, url: "https://jira.acme.com/browse/:key" }',
      'when: { action: fetch }, unless: { url: { regex: "^https://jira\\\\.acme\\\\.com/browse/PRJ-[0-9]+$" } }',
    ],
    [
      'a tool, and a field of its input',
      '{ event: tool.before, tool: "mcp__tracker__*" }',
      'when: { tool: "mcp__tracker__*" }, unless: { input: { ticket: { regex: "^PRJ-[0-9]{4}$" } } }',
    ],
    [
      'the same, the other way round',
      '{ event: tool.before, tool: "mcp__tracker__*" }',
      'when: { tool: "mcp__tracker__*", not: { input: { ticket: { regex: PRJ } } } }',
    ],
    [
      'two regexes of one field',
      '{ event: tool.before, command: "make *", input: { description: { regex: "^[A-Z]{3}-[0-9]+ " } } }',
      'when: { command: make }, unless: { input: { description: { regex: "reviewed by .+" } } }',
    ],
  ])('%s', (_, when, rule) => {
    const proof = proofs(opened(when, rule))
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
  })

  it.each([
    [
      'another folder',
      '{ event: tool.before, action: write, path: notes/ }',
      'when: { action: write }, unless: { path: docs/ }',
    ],
    ['all of it', '{ event: tool.before, action: write, path: notes/ }', 'when: { action: write, path: "**" }'],
    [
      'another kind of ticket',
      '{ event: tool.before, input: { id: { regex: "^A-[0-9]+$" } }, tool: Track }',
      'when: { tool: Track }, unless: { input: { id: { regex: "^B-" } } }',
    ],
  ])('and where none is, it is a deadlock: %s', (_, when, rule) => {
    expect(found(proofs(opened(when, rule)))).toEqual({ findings: ['deadlock g'], inconclusive: [] })
  })

  it.each([
    [
      'a regex that is not understood',
      '{ event: tool.before, tool: Track }',
      'when: { tool: Track }, unless: { input: { id: { regex: "\\\\bA-\\\\p{Lu}{2}\\\\b" } } }',
      /^not every `input\.id`/,
    ],
    [
      'an agent that another agent may spawn',
      '{ event: tool.before, caller: reviewer, tool: "mcp__gh__*" }',
      'when: { action: spawn, agent: reviewer, caller: main }',
      /^some-agent may spawn reviewer/,
    ],
  ])('and where that cannot be told, it is not certain, and no proof: %s', (_, when, rule, doubt) => {
    const proof = proofs(opened(when, rule))
    expect(found(proof)).toEqual({ findings: [], inconclusive: ['deadlock g'] })
    expect(proof.inconclusive[0]?.inconclusiveReason).toMatch(doubt)
    expect(isProven(proof)).toBe(false)
  })
})

describe('twenty gates are proven within two seconds of work', () => {
  const each = (gate: (nth: number) => string): string =>
    `gates:\n${Array.from({ length: 20 }, (_, nth) => gate(nth)).join('')}`
  it.each([
    [
      'that refuse commits, pushes and, once, a stop',
      each(
        nth => `  g${nth}:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.before, action: [write, delete] } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: npm run c${nth}, succeeded: true } }
    rules:
      - { id: r, while: closed, when: { command: [git commit, git push] }, then: deny, message: "Run {suggest}", suggest: npm run c${nth} }
      - { id: s, while: closed, when: { event: turn.stop }, then: deny, limit: 1, message: "Run npm run c${nth}" }
`,
      ),
    ],
    [
      'of which each waits for the one before, closed one by one',
      each(
        nth => `  g${nth}:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.before, command: c${nth} } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: o${nth}, succeeded: true } }
    rules:
      - { id: r, while: closed, when: { command: o${nth + 1} }, then: deny, message: o${nth} first }
`,
      ),
    ],
  ])('%s', (_, policy) => {
    withPolicies((load, root) => {
      const loaded = load(policy)
      const began = process.cpuUsage()
      const proof = proofOf(loaded, root)
      const { user, system } = process.cpuUsage(began)
      expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
      expect(isProven(proof)).toBe(true)
      expect((user + system) / 1e6).toBeLessThan(2)
    })
  })
})

describe('what never makes a difference', () => {
  const rules = (...list: string[]): string =>
    `gates:\n  a:\n    rules:\n${list.map((one, nth) => `      - { id: r${nth}, ${one}, message: m }\n`).join('')}`
  const idle = (...list: string[]) =>
    proofs(rules(...list)).findings.map(({ kind, what }) => `${kind} ${what.split(' ')[1]}`)

  it.each([
    [
      'a kind of file in a folder',
      ['when: { action: write, path: src/ }, then: deny', 'when: { action: write, path: "src/**/*.ts" }, then: ask'],
      ['shadowed a/r1'],
    ],
    [
      'a file in a folder',
      ['when: { action: write, path: src/ }, then: deny', 'when: { action: write, path: src/a/b.ts }, then: warn'],
      ['shadowed a/r1'],
    ],
    [
      'the other way round it does',
      ['when: { action: write, path: "src/**/*.ts" }, then: deny', 'when: { action: write, path: src/ }, then: ask'],
      [],
    ],
    [
      'some of the names in it',
      [
        'when: { action: write, path: ["src/**/some*", "src/**/*.txt"] }, then: deny',
        'when: { action: write, path: src/ }, then: ask',
      ],
      [],
    ],
    ['a thing and its opposite', ['when: { command: foo, not: { command: foo } }, then: deny'], ['unreachable a/r0']],
    [
      'a command that is no command',
      ['when: { all: [{ command: git push }, { action: read }] }, then: deny'],
      ['unreachable a/r0'],
    ],
  ])('%s', (_, list, wanted) => {
    expect(idle(...list)).toEqual(wanted)
  })
})

it('what holds an agent says what to change, though nobody can be named on every client', () => {
  const proof = proofs(
    `gates:
  g:
    scope: agent
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.before, action: write } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules:
      - { id: r, while: closed, when: { event: agent.stop }, then: deny, message: run npm test }
      - { id: r2, when: { command: npm test }, unless: { caller: main }, then: deny, message: only main tests }
`,
    clients.map(one => one.id),
  )
  const held = proof.findings.find(one => one.kind === 'cannot-end')
  expect(held?.fix[0]).toMatchObject({
    at: expect.stringMatching(/signalbox\.yaml:9$/),
    advice: 'allow it to end: `limit: 1`, or a way to open the gate',
  })
})

/** Two gates: each refuses what closes and what opens the other, so that one after the other only one of them is ever closed. */
const pair = (when: string, one: string, other: string, more = ''): string => `
gates:
  g1:
    initial: open
    transitions:
      - { id: c1, from: open, to: closed, when: { event: ${when}, ${one} } }
      - { id: o1, from: closed, to: open, when: { event: tool.before, command: fixone } }
    rules:
      - { id: r1, while: closed, when: { any: [{ ${other} }, { command: fixtwo }] }, then: deny, message: fixone first${more} }
  g2:
    initial: open
    transitions:
      - { id: c2, from: open, to: closed, when: { event: ${when}, ${other} } }
      - { id: o2, from: closed, to: open, when: { event: tool.before, command: fixtwo } }
    rules:
      - { id: r2, while: closed, when: { any: [{ ${one} }, { command: fixone }] }, then: deny, message: fixtwo first${more} }
`
const stories = ({ findings }: VerificationResult) =>
  findings.map(({ counterexample }) => counterexample.slice(0, 3).map(line => describeStep(line.step)))

describe('what only several things at once bring about', () => {
  it('a line that does two things', () => {
    const [first] = stories(proofs(pair('tool.before', 'command: foo', 'command: bar')))
    expect(first?.slice(0, 2)).toEqual(['foo && bar', 'fixone'])
  })

  it('two calls at once', () => {
    const [first] = stories(proofs(pair('tool.after', 'tool: mcp__a__foo', 'tool: mcp__a__bar')))
    expect(first).toEqual([
      'calls mcp__a__foo, still running',
      expect.stringMatching(/^calls mcp__a__bar/),
      expect.stringMatching(/^calls mcp__a__foo ends/),
    ])
  })

  it('neither, where what closes one gate is not refused by the other', () => {
    const fine = pair('tool.before', 'command: foo', 'command: bar')
      .replaceAll(', { command: fixtwo }', '')
      .replaceAll(', { command: fixone }', '')
    expect(isProven(proofs(fine))).toBe(true)
  })

  const lock = (free: string): string => `
gates:
  lock:
    scope: project
    initial: open
    transitions:
      - { id: take, from: open, to: closed, when: { event: tool.before, command: deploy } }
      - { id: free, from: closed, to: open, when: { event: tool.before, command: release${free} } }
    rules:
      - { id: held, while: closed, when: { command: deploy }, then: deny, message: release first }
  mine:
    initial: closed
    transitions:
      - { id: m, from: closed, to: open, when: { event: tool.before, command: deploy } }
      - { id: n, from: closed, to: open, when: { event: tool.before, command: begin } }
`

  it('a second session, over what the project keeps', () => {
    const alone = lock(', gate: { mine: open }').replace(/.*command: begin.*\n/, '')
    expect(stories(proofs(alone))[0]).toEqual(['deploy', 'another session begins', 'deploy'])
    expect(isProven(proofs(lock(', gate: { mine: open }')))).toBe(true)
  })

  it('two sessions at once are not played: where that may matter, it is no proof', () => {
    const counted = lock(', gate: { mine: open }').replace(
      'command: begin',
      'command: begin, since: { closed: { operations: 1 } }',
    )
    const proof = proofs(counted)
    expect(found(proof).findings).toEqual([])
    expect(proof.inconclusive.map(one => one.what)).toEqual(['two concurrent sessions may close lock for each other'])
  })
})

describe('a gate of each agent', () => {
  const readFirst = (opener: string, rule = 'when: { event: tool.before, action: write }') => `
gates:
  read-first:
    initial: closed
    scope: agent
    transitions: [{ id: o, from: closed, to: open, when: { ${opener} } }]
    rules: [{ id: r, while: closed, ${rule}, then: deny, message: Read first. }]
`
  const told = (policy: string) => proofs(policy).findings.map(one => one.what)

  it.each([
    ['only the main agent opens it', readFirst('event: tool.before, action: read, path: AGENTS.md, caller: main')],
    [
      'what opens it is refused to agents',
      `${readFirst('event: tool.before, action: spawn, agent: planner')}
  only-main:
    rules: [{ id: s, when: { action: spawn }, unless: { caller: main }, then: deny, message: Agents spawn nobody. }]
`,
    ],
    [
      'the next one of its type finds it open',
      readFirst('event: agent.start', 'when: { event: tool.before }')
        .replace('initial: closed', 'initial: open')
        .replace(
          '[{ id: o',
          '[{ id: c, from: open, to: closed, when: { event: tool.before, caller: agent } }, { id: o',
        ),
    ],
    ['the end of a turn opens it for the main agent', readFirst('event: turn.stop')],
  ])('that a running agent cannot open is a deadlock, though it may end: %s', (_, policy) => {
    expect(told(policy)).toEqual([
      expect.stringMatching(
        /^read-first can be closed for the agent [\w-]+ with no way left to open it while that runs$/,
      ),
    ])
    const { counterexample } = proofs(policy).findings[0] ?? { counterexample: [] }
    expect(counterexample.map(({ step }) => describeStep(step))).toContainEqual(
      expect.stringMatching(/: (writes |some-program)/),
    )
  })

  it.each([
    ['each opens its own', readFirst('event: tool.before, action: read, path: AGENTS.md')],
    ['its own end opens it', readFirst('event: [agent.stop, tool.after]')],
    [
      'it refuses nothing to agents',
      readFirst(
        'event: tool.before, action: read, path: AGENTS.md, caller: main',
        'when: { event: tool.before, action: write, caller: main }',
      ),
    ],
  ])('that agents can go on with is none: %s', (_, policy) => {
    expect(told(policy)).toEqual([])
  })
})

describe('each gate can be opened, and what they refuse', () => {
  const both = (closing: string) => `
gates:
  linted:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.after, command: npm run lint, succeeded: true } }
      - { id: c, from: open, to: closed, when: { event: tool.after, command: ${closing} } }
    rules: [{ id: r, while: closed, when: { command: git push }, then: deny, message: Lint. }]
  tested:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { id: c, from: open, to: closed, when: { event: tool.after, command: npm run lint } }
    rules: [{ id: r, while: closed, when: { command: git push }, then: deny, message: Test. }]
`

  it('is never let through: each closes the other', () => {
    const [one, ...more] = proofs(both('npm test')).findings
    expect(more).toEqual([])
    expect(one).toMatchObject({
      kind: 'deadlock',
      livelock: true,
      what: 'linted can be closed with no way left to do what it refuses',
      why: '`git push` is allowed only where linted and tested allow it, and no such state can be reached; `npm run lint` opens linted and closes tested; `npm test` opens tested and closes linted',
    })
    expect(one?.counterexample.map(({ step }) => describeStep(step))).toEqual(['git push'])
  })

  it('comes to pass in the right order', () => {
    expect(isProven(proofs(both('git commit')))).toBe(true)
  })

  it('is not their matter where something else refuses it in any case', () => {
    const never = 'rules: [{ id: n, when: { command: git push }, then: deny, message: Never. }]'
    const proof = proofs(`${both('git commit')}  never:\n    ${never}\n`)
    expect(proof.findings.filter(one => one.livelock)).toEqual([])
  })

  it('is asked for each agent', () => {
    const policy = `
gates:
  plan:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.before, action: read, path: PLAN.md } }
      - { id: c, from: [open, closed], to: closed, when: { event: tool.before, action: spawn } }
    rules: [{ id: r, while: closed, when: { action: write, caller: builder }, then: deny, message: Plan. }]
  agents:
    rules: [{ id: a, when: { action: read }, then: deny, message: Not now. }]
`
    expect(proofs(policy).findings.map(one => one.what)).toEqual(['plan can be closed with no way left to open it'])
    const open = policy.replace('when: { action: read }', 'when: { action: read, caller: agent }')
    expect(found(proofs(open))).toEqual({ findings: [], inconclusive: [] })
  })
})

describe('only a person opens it, by a prompt', () => {
  const approved = (rule: string) => `
gates:
  approval:
    initial: closed
    opens: human
    transitions: [{ id: o, from: closed, to: open, when: { event: prompt.submit, prompt: approved } }]
    rules: [{ id: r, while: closed, when: { command: git push }, then: deny, message: Ask the user. }]
  prompts:
    rules: [{ id: p, when: { event: prompt.submit }, ${rule}then: deny, message: No. }]
`

  it('that is refused: the person waits for himself', () => {
    const [one, ...more] = proofs(approved('')).findings
    expect(more).toEqual([])
    expect(one).toMatchObject({
      kind: 'deadlock',
      what: 'approval can be closed with no way left to open it',
      why: "approval needs a prompt from a person, and prompts's rule p refuses that",
    })
    expect(one?.counterexample.map(({ step }) => describeStep(step))).toEqual(['prompt of user: approved'])
  })

  it('that is let through', () => {
    expect(found(proofs(approved('unless: { prompt: approved }, ')))).toEqual({ findings: [], inconclusive: [] })
  })
})

describe('what waits for a router, once the router is known to be no obstacle,', () => {
  const policy = `
use: [{ router-first: { per: prompt } }, orchestrator-boundary]
gates:
  checked:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.after, command: make check, succeeded: true } }
      - { id: c, from: open, to: closed, when: { event: tool.before, action: write } }
    rules: [{ id: r, while: closed, when: { command: git push }, then: deny, message: "{suggest}", suggest: make check }]
  note:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: { event: tool.before, action: write, path: NOTE.md } }]
    rules: [{ id: r, while: closed, when: { event: turn.stop }, then: deny, limit: 1, message: Write it. }]
  often:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { since: { opened: { operations: 20 } } } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: make status } }
    rules: [{ id: r, while: closed, when: { command: git commit }, then: deny, message: "{suggest}", suggest: make status }]
`
  it.each(['claude-code', 'gemini-cli', 'codex-cli'])('is heard without being explored: %s', id => {
    const proof = proofs(policy, [id])
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
    // each with the router would be a thousand or more
    expect(proof.events).toBeLessThan(4000)
  })
})

describe('what is suggested is refused', () => {
  const suggested = ({ findings }: VerificationResult) =>
    findings.flatMap(one => (one.kind === 'misleading' ? one.what : []))

  it.each([
    ['Five agents are enough. The user allows more by any message.', []],
    ['Five agents are enough.', ['no-guidance']],
  ])('by a gate that only a person opens, which says: %s', (message, kinds) => {
    const policy = {
      budget: {
        ...{ initial: 'open', opens: 'human', counts: { action: 'spawn' } },
        transitions: [
          { from: 'open', to: 'closed', when: { since: { opened: { operations: 5 } } } },
          { from: 'closed', to: 'open', when: { event: 'prompt.submit' } },
        ],
        rules: [{ while: 'closed', when: { action: 'spawn' }, then: 'deny', message }],
      },
      review: {
        initial: 'closed',
        transitions: [{ from: 'closed', to: 'open', when: { event: 'agent.stop', agent: 'reviewer' } }],
        rules: [
          {
            ...{ while: 'closed', when: { command: 'git push' }, then: 'deny', message: 'Review.' },
            suggest: { agent: 'reviewer' },
          },
        ],
      },
    }
    expect([...new Set(proofs(JSON.stringify({ gates: policy })).findings.map(({ kind }) => kind))].sort()).toEqual(
      kinds,
    )
  })

  it('after a call to which the one who refuses said nothing, though to another it did', () => {
    const policy = `
gates:
  red:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.before, command: delta } }
      - { id: o, from: closed, to: open, when: { event: tool.before, command: beta } }
    rules:
      - { id: r, while: open, when: { command: [alpha, gamma] }, then: warn, message: No., suggest: gamma }
  green:
    rules: [{ id: r, when: { command: gamma }, then: deny, message: No. }]
`
    expect(suggested(proofs(policy))).toEqual(['red/r suggests `gamma`, which is refused'])
  })

  it('after a call that passes and closes the gate', () => {
    const policy = `
gates:
  red:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.after } }
      - { id: c, from: open, to: closed, when: { event: tool.before, command: delta } }
    rules:
      - { id: w, when: { event: tool.before }, then: warn, message: No., suggest: beta }
      - { id: r, while: closed, when: { event: tool.before }, then: deny, message: No., limit: 1 }
`
    expect(suggested(proofs(policy))).toEqual(['red/w suggests `beta`, which is refused'])
  })

  it('by an `ask` where nobody can be asked', () => {
    const policy = `
gates:
  blue:
    initial: closed
    opens: human
    rules: [{ id: r, while: closed, when: { event: tool.before }, then: ask, message: Ask the user., suggest: gamma }]
`
    expect(suggested(proofs(policy, ['opencode']))).toEqual(['blue/r suggests `gamma`, which is refused'])
    expect(suggested(proofs(policy))).toEqual([])
  })
})

it('what opens a gate is judged as if it were open, by whomever it is done', () => {
  const policy = `
gates:
  red:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.before } }
      - { id: c, from: open, to: closed, when: { event: agent.stop, agent: scout } }
    rules: [{ id: r, while: open, when: { event: tool.before }, then: deny, message: No. }]
`
  expect(proofs(policy).findings.map(one => one.what)).toContain('red can be closed with no way left to open it')
})
