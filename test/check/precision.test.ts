import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { found, proofs } from './policies.ts'

const everybody = clients.map(one => one.id)
const asking = ['claude-code', 'gemini-cli', 'cursor']

const gate = (name: string, initial: string, transitions: readonly string[], rules: readonly string[] = []): string =>
  `gates:\n  ${name}:\n    initial: ${initial}\n    transitions: [${transitions.join(', ')}]\n    rules: [${rules.join(', ')}]\n`

const shuts = (when: string): string => `{ from: open, to: closed, when: ${when} }`

describe('a gate that refuses nothing while it is closed may stay closed', () => {
  it.each([
    [
      'a question before the first write',
      gate(
        'asked',
        'open',
        [shuts('{ event: tool.after, action: write }')],
        ['{ while: open, when: { action: write }, then: ask, message: The first. }'],
      ),
    ],
    [
      'a reminder until something is written',
      gate(
        'log',
        'open',
        [shuts('{ event: tool.after, action: write, path: CHANGELOG.md }')],
        ['{ while: open, when: { event: turn.stop }, then: deny, limit: 1, message: Write it. }'],
      ),
    ],
    [
      'a count without rules',
      gate('count', 'closed', ['{ from: closed, to: closed, when: { event: tool.after, command: npm test } }']),
    ],
    [
      'a count with a word about it',
      gate(
        'count',
        'closed',
        ['{ from: closed, to: closed, when: { event: tool.after, command: npm test } }'],
        ['{ while: closed, when: { command: git push }, then: warn, message: Count. }'],
      ),
    ],
    [
      'a memory that another transition looks at',
      `${gate('busy', 'open', [shuts('{ event: tool.before, command: git commit }')])}
  push:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, command: git push, gate: { busy: closed } } }
      - { from: closed, to: open, when: { event: tool.after, command: git log, succeeded: true } }
    rules: [{ while: closed, when: { event: turn.stop }, then: deny, limit: 1, message: Look at it. }]
`,
    ],
  ])('%s', (_, policy) => {
    expect(found(proofs(policy, everybody))).toEqual({ findings: [], inconclusive: [] })
  })

  it('a question that comes every time from then on, where somebody can be asked', () => {
    const policy = gate(
      'secrets',
      'open',
      [shuts('{ event: tool.before, action: read, path: .env }')],
      ['{ while: closed, when: { action: fetch }, then: ask, message: You read secrets. }'],
    )
    expect(found(proofs(policy, asking))).toEqual({ findings: [], inconclusive: [] })
    expect(found(proofs(policy, ['opencode'])).findings).toEqual(['deadlock secrets'])
  })

  it.each([
    [
      'its own rule',
      gate(
        'a',
        'open',
        [shuts('{ event: tool.before, action: write }')],
        ['{ while: closed, when: { command: git push }, then: deny, message: No. }'],
      ),
    ],
    [
      'a rule of another gate',
      `${gate('a', 'open', [shuts('{ event: tool.before, action: write }')])}
  b: { rules: [{ when: { command: git push, gate: { a: closed } }, then: deny, message: No. }] }
`,
    ],
    [
      'what another one exempts while it is open',
      `${gate('a', 'open', [shuts('{ event: tool.before, action: write }')])}
  b: { rules: [{ when: { command: git push }, unless: { gate: { a: open } }, then: deny, message: No. }] }
`,
    ],
    [
      'a gate that opens only while it is open',
      `${gate('a', 'open', [shuts('{ event: tool.before, action: write }')])}
  b:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, command: make, gate: { a: open } } }]
    rules: [{ while: closed, when: { command: git push }, then: deny, message: No. }]
`,
    ],
  ])('and is stuck where something is refused: %s', (_, policy) => {
    expect(found(proofs(policy, everybody)).findings).toContain('deadlock a')
  })
})

describe('a suggestion that is refused misleads nobody where the refusal names its own next step', () => {
  const step = (name: string, refused: string, suggest: string): string => `
  ${name}:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: make ${name}, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, action: write } }
    rules: [{ while: closed, when: { command: make ${refused} }, then: deny, message: "First make ${name}."${suggest} }]`
  const row = (names: readonly string[], isSilent = (_: string) => false): string =>
    `gates:${names
      .slice(0, -1)
      .map((name, at) => step(name, names[at + 1] ?? '', isSilent(name) ? '' : `, suggest: make ${name}`))
      .join('')}\n`

  it.each([2, 3, 4, 12])('a row of %i steps', many => {
    const names = Array.from({ length: many }, (_, at) => `step-${at}`)
    expect(isProven(proofs(row(names), everybody))).toBe(true)
  })

  it('but a step that does not say what comes before it does', () => {
    const names = ['test', 'build', 'stage', 'release']
    expect(found(proofs(row(names, name => name === 'test'))).findings).toEqual([
      'misleading build',
      'misleading stage',
    ])
  })

  it('and so does what is refused whatever is open', () => {
    const never =
      '\n  never: { rules: [{ when: { command: make build }, then: deny, message: Never., suggest: make all }] }\n'
    expect(found(proofs(row(['test', 'build', 'stage', 'release']) + never)).findings).toContain('misleading build')
  })
})

describe('as many options as rules ask for may be in one line', () => {
  const needs = (options: readonly string[], command = 'ship --tags'): string =>
    `gates:
  shipped:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, command: ${command}, succeeded: true } }]
    rules:
      - { while: closed, when: { command: deploy }, then: deny, message: Ship first. }
${options.map(one => `      - { when: { command: ${command} }, unless: { command: ship ${one} }, then: deny, message: "With ${one}." }`).join('\n')}
`
  it.each([
    [['--signed']],
    [['--signed', '--checked']],
    [['--signed', '--checked', '--quiet']],
    [['--signed', '--checked', '--quiet', '--slow']],
    [['-a', '-b', '-c', '-d', '-e']],
  ])('%j', options => {
    expect(found(proofs(needs(options), everybody))).toEqual({ findings: [], inconclusive: [] })
  })

  it('one that is refused with any of them is a deadlock', () => {
    const policy = `${needs(['--signed', '--checked'])}      - { when: { command: ship --checked }, then: deny, message: No. }\n`
    expect(found(proofs(policy)).findings).toContain('deadlock shipped')
  })
})

it('where only another turn opens it, the reason says that a turn is the user’s', () => {
  const policy = `gates:
  web:
    initial: open
    counts: { event: tool.before, action: fetch }
    transitions:
      - { from: open, to: closed, when: { since: { opened: { operations: 10 } } } }
      - { from: closed, to: open, when: { since: { closed: { turns: 1 } } } }
    rules: [{ while: closed, when: { action: fetch }, then: deny, message: Enough until the user writes again. }]
`
  const [first] = proofs(policy).findings
  expect(first?.why).toBe('only another turn opens web, and a turn begins with a prompt of the user')
  expect(isProven(proofs(policy.replace('initial: open', 'initial: open\n    opens: human'), everybody))).toBe(true)
})

it('where `tool.failed` is never told, the reason says what to write instead', () => {
  const red = (when: string): string =>
    gate(
      'red',
      'closed',
      [`{ from: closed, to: open, when: ${when} }`],
      ['{ while: closed, when: { action: write, path: src/ }, then: deny, message: Red first. }'],
    )
  const [first] = proofs(red('{ event: tool.failed, command: npm test }'), ['codex-cli']).findings
  expect(first?.why).toContain('write `event: tool.after, succeeded: false`')
  expect(isProven(proofs(red('{ event: tool.after, command: npm test, succeeded: false }'), ['codex-cli']))).toBe(true)
})
