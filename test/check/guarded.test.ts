import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { found, proofs } from './policies.ts'

const everybody = clients.map(one => one.id)

describe('nobody writes while a review runs', () => {
  const review = (rule = 'when: { event: tool.before, action: write }', more = ''): string => `
gates:
  review:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: agent.start, agent: reviewer } }
      - { id: o, from: closed, to: open, when: { event: agent.stop, agent: reviewer } }
    rules: [{ id: r, while: closed, ${rule}, then: deny, message: A review runs. }]
${more}`
  const unless = (opened: string, when: string): string => `  noted:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: ${opened} }]
    rules: [{ id: s, while: closed, when: ${when}, then: deny, message: Not yet. }]
`
  const ENDS = '{ event: agent.stop, agent: reviewer }'

  it.each([
    ['its end is a way out', review()],
    ['also for other agents', review('when: { event: tool.before, action: write, caller: agent }')],
    [
      'also where that takes something first',
      review(undefined, unless('{ event: tool.after, command: npm test, succeeded: true }', ENDS)),
    ],
  ])('%s', (_, policy) => {
    const proof = proofs(policy, everybody)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
  })

  it('not where the reviewer may end only after it wrote something', () => {
    const policy = review(undefined, unless('{ event: tool.before, action: write, path: notes/ }', ENDS))
    expect(found(proofs(policy)).findings).toEqual(['deadlock review', 'deadlock noted', 'cannot-end noted'])
  })

  it('not where the reviewer may never end', () => {
    const policy = review(
      undefined,
      '  never:\n    rules: [{ id: s, when: { event: agent.stop, agent: reviewer }, then: deny, message: Go on. }]\n',
    )
    expect(found(proofs(policy)).findings).toEqual(['deadlock review', 'cannot-end never'])
  })

  it('nor where it is the reviewer who is to write', () => {
    const policy = review('when: { event: tool.before, action: write, caller: reviewer }')
    expect(found(proofs(policy)).findings).toEqual(['deadlock review'])
  })
})

describe('what is refused in every state is not for a gate to let through', () => {
  const tests = `
gates:
  tests:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.before, action: write } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
`
  const careful = (rule: string): string => `${tests}
  careful:
    rules: [{ id: r, ${rule}, then: deny, message: Not so. }]
`

  it.each([
    [
      'one part of a rule',
      careful('when: { event: tool.before, any: [{ command: rm }, { command: git push, gate: { tests: closed } }] }'),
    ],
    [
      'what its exemption never speaks of',
      careful('when: { command: [rm, git push] }, unless: { command: git push, gate: { tests: open } }'),
    ],
    [
      'one part of what opens a gate',
      `
gates:
  ready:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { any: [{ event: tool.before, command: make }, { event: tool.after, command: npm test, succeeded: true }] } }
    rules: [{ id: r, while: closed, when: { any: [{ command: git commit }, { action: write, path: secret/ }] }, then: deny, message: Not yet. }]
  never:
    rules: [{ id: r, when: { any: [{ command: make }, { action: write, path: secret/ }] }, then: deny, message: Never. }]
`,
    ],
  ])('%s', (_, policy) => {
    const proof = proofs(policy)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
  })

  it('but what waits for a gate that does not open is a deadlock', () => {
    const policy = careful(
      'when: { event: tool.before, any: [{ command: rm }, { command: [git push, npm test], gate: { tests: closed } }] }',
    )
    expect(found(proofs(policy)).findings).toEqual(['deadlock tests', 'deadlock careful'])
  })
})
