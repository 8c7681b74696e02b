import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { played } from './played.ts'
import { found, proofs } from './policies.ts'

const moves = (opens: string, closes: string): string =>
  `transitions: [{ from: closed, to: open, when: { event: tool.before, command: ${opens} } }, { from: open, to: closed, when: { event: tool.before, command: ${closes} } }]`
const refuses = (more: string, what = 'command: deploy'): string =>
  `rules: [{ ${more}when: { event: tool.before, ${what} }, then: deny, message: Not now. }]`

/** `warm` opens both, `cool` closes both. */
const STUCK: readonly (readonly [string, string])[] = [
  [
    'one side is refused while open',
    `gates:
  a: { initial: closed, ${moves('warm', 'cool')}, ${refuses('while: closed, ')} }
  b: { initial: closed, ${moves('warm', 'cool')}, ${refuses('while: open, ')} }
`,
  ],
  [
    'one side asks for an open gate without a state of its own',
    `gates:
  a: { initial: closed, ${moves('warm', 'cool')}, ${refuses('while: closed, ')} }
  b: { ${refuses('', 'command: deploy, gate: { a: open }')} }
`,
  ],
  [
    'both sides are refused while open',
    `gates:
  a: { initial: open, ${moves('cool', 'warm')}, ${refuses('while: open, ')} }
  b: { initial: closed, ${moves('warm', 'cool')}, ${refuses('while: open, ')} }
`,
  ],
  [
    'the other side exempts a closed gate',
    `gates:
  a: { initial: closed, ${moves('warm', 'cool')}, ${refuses('while: closed, ')} }
  b: { rules: [{ when: { event: tool.before, command: deploy }, unless: { gate: { a: closed } }, then: deny, message: Cool first. }] }
`,
  ],
  [
    'files in place of a command',
    `gates:
  a: { initial: closed, ${moves('warm', 'cool')}, ${refuses('while: closed, ', 'action: write, path: src/')} }
  b: { initial: closed, ${moves('warm', 'cool')}, ${refuses('while: open, ', 'action: write, path: src/')} }
`,
  ],
]

describe('work that no state lets through', () => {
  it('is reported beside a suggestion that is refused', async () => {
    const policy = `gates:
  red:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.before, command: warm } }
      - { from: open, to: closed, when: { event: tool.before, command: reset, gate: { green: closed } } }
    ${refuses('while: closed, ')}
  green:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, command: warm } }
      - { from: closed, to: open, when: { event: tool.before, command: reset } }
    rules: [{ while: closed, when: { event: tool.before }, then: deny, message: Not now., suggest: { agent: builder } }]
`
    const steps = ['deploy', 'warm', 'deploy', 'reset', 'deploy'].map(shell => ({ shell }))
    expect(await played(policy, steps)).toEqual(['deny', 'pass', 'deny', 'pass', 'deny'])
    const kinds = proofs(policy).findings.map(({ kind, livelock }) => [kind, livelock])
    expect(kinds).toContainEqual(['deadlock', true])
    expect(kinds).toContainEqual(['misleading', undefined])
  })

  it.each(STUCK)('%s', async (_, policy) => {
    const work = policy.includes('path: src/') ? { write: 'src/a.ts' } : { shell: 'deploy' }
    const steps = [work, { shell: 'warm' }, work, { shell: 'cool' }, work, { shell: 'warm' }, work]
    expect(await played(policy, steps)).toEqual(['deny', 'pass', 'deny', 'pass', 'deny', 'pass', 'deny'])
    const { findings } = proofs(policy)
    expect(findings.map(({ kind, livelock }) => [kind, livelock])).toEqual([['deadlock', true]])
    expect(findings[0]?.fix).not.toEqual([])
  })

  it.each([
    [
      'what opens one leaves the other as it is',
      `gates:
  a: { initial: closed, ${moves('warm', 'cool')}, ${refuses('while: closed, ')} }
  b: { initial: closed, ${moves('heat', 'rest')}, ${refuses('while: open, ')} }
`,
    ],
    [
      'another transition always comes before the one that would close it again',
      `gates:
  red: { initial: closed, ${moves('warm', 'cool')}, ${refuses('while: closed, ')} }
  green:
    initial: open
    transitions:
      - { from: open, to: open, when: { event: tool.after, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.after, succeeded: true } }
    ${refuses('while: open, ')}
`,
    ],
    [
      'one deployment a test run',
      `gates:
  tested: { initial: closed, ${moves('npm test', 'edit')}, ${refuses('while: closed, ')} }
  deployed: { initial: closed, ${moves('deploy', 'npm test').replace('tool.before', 'tool.after')}, ${refuses('while: open, ')} }
`,
    ],
    [
      'one deployment a session: it is open for good',
      `gates:
  tested: { initial: closed, ${moves('npm test', 'edit')}, ${refuses('while: closed, ')} }
  deployed:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, command: deploy } }]
    ${refuses('while: open, ')}
`,
    ],
    [
      'one deployment a prompt',
      `gates:
  tested: { initial: closed, ${moves('npm test', 'edit')}, ${refuses('while: closed, ')} }
  deployed:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: deploy } }
      - { from: open, to: closed, when: { event: prompt.submit, source: user } }
    ${refuses('while: open, ')}
`,
    ],
  ])('is none where %s', (_, policy) => {
    const proof = proofs(policy)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
  })
})
