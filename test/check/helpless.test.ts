import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { compare } from './comparison.ts'
import { type Played, played } from './played.ts'
import { found, proofs } from './policies.ts'

const rules = (...all: readonly string[]): string =>
  `gates:\n${all.map((one, at) => `  g${at}: { rules: [{ id: r, ${one}, then: deny, message: No. }] }\n`).join('')}`

const TRIES: readonly Played[] = [{ shell: 'ls' }, { read: 'a.txt' }, { write: 'a.txt' }, { spawn: 'helper' }]
const COOLING = `
gates:
  cooling:
    initial: closed
    transitions: [{ from: closed, to: open, when: { since: { closed: { seconds: 600 } } } }]
    rules: [{ id: r, while: closed, when: { event: [tool.before, turn.stop] }, then: deny, message: Wait ten minutes. }]
`

describe('the main agent can do nothing', () => {
  it.each([
    ['every prompt is refused', rules('when: { event: prompt.submit }'), [{ prompt: 'hello' }]],
    [
      'every prompt is, by two rules',
      rules(
        'when: { event: prompt.submit, prompt: { regex: "please" } }',
        'when: { event: prompt.submit, not: { prompt: { regex: "please" } } }',
      ),
      [{ prompt: 'please do' }, { prompt: 'do' }],
    ],
    ['every call is denied', rules('when: { event: tool.before }'), TRIES],
    ['every call of its own is', rules('when: { event: tool.before, caller: main }'), TRIES],
    [
      'it may only delegate, and nobody may be spawned',
      rules(
        'when: { event: tool.before, caller: main, not: { action: spawn } }',
        'when: { event: tool.before, action: spawn }',
      ),
      TRIES,
    ],
    [
      'it may read and delegate, and nobody may be spawned',
      rules(
        'when: { event: tool.before, caller: main, action: [write, delete, run, fetch] }',
        'when: { event: tool.before, action: spawn }',
      ),
      [{ shell: 'ls' }, { write: 'a.txt' }, { spawn: 'helper' }],
    ],
  ] as readonly (readonly [string, string, readonly Played[]])[])('%s', async (_, policy, steps) => {
    expect(new Set(await played(policy, steps))).toEqual(new Set(['deny']))
    const { findings } = proofs(policy)
    expect(findings.map(({ kind, what }) => `${kind} ${what}`)).toEqual(['deadlock the main agent can do nothing here'])
    expect(findings[0]?.counterexample).not.toEqual([])
    expect(findings[0]?.fix).toHaveLength(1)
  })

  it('every compaction is refused', async () => {
    const policy = rules('when: { event: compact.before }')
    expect(await played(policy, ['compact', 'compact'])).toEqual(['deny', 'deny'])
    expect(proofs(policy).findings.map(one => one.what)).toEqual([
      'the main agent can do nothing once its context is full',
    ])
  })

  it('every call and the end of the turn are refused for ten minutes', async () => {
    expect(new Set(await played(COOLING, [...TRIES, 'stop', { shell: 'sleep 600' }]))).toEqual(new Set(['deny']))
    expect(found(proofs(COOLING)).findings).toEqual(['cannot-end cooling'])
  })

  it.each([
    ['some prompts are refused', rules('when: { event: prompt.submit, prompt: { regex: "password" } }')],
    ['it may only read', rules('when: { event: tool.before, action: [write, delete, run, fetch, spawn] }')],
    ['it may only delegate', rules('when: { event: tool.before, caller: main, not: { action: spawn } }')],
    [
      'it writes nothing, and nobody is spawned',
      rules(
        'when: { event: tool.before, caller: main, action: [write, delete] }',
        'when: { event: tool.before, action: spawn }',
      ),
    ],
    ['a person is asked about every call', rules('when: { event: tool.before }').replace('then: deny', 'then: ask')],
    ['a compaction is refused once', rules('when: { event: compact.before }, limit: 1')],
    ['the turn may end meanwhile', COOLING.replace('[tool.before, turn.stop]', 'tool.before')],
    ['it may sleep meanwhile', COOLING.replace('then: deny', 'unless: { command: sleep }, then: deny')],
  ])('is not said where %s', (_, policy) => {
    const proof = proofs(policy)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
  })
})

it('where nobody can be asked, a question at every spawn leaves the work to nobody', () => {
  const spawn = { id: 'r0', when: { event: 'tool.before', action: 'spawn' }, then: 'ask', message: 'Sure?' } as const
  const work = { event: 'tool.before', action: ['run', 'write'] }
  const rules = [spawn, { id: 'r1', when: work, unless: { caller: 'scout' }, then: 'deny', message: 'No.' }] as const
  const { proof, differences } = compare({ gates: { red: { rules } } }, 'opencode', 330)
  expect(differences).toEqual([])
  expect(proof.findings.map(one => one.what)).toContain('the main agent can do nothing here')
})
