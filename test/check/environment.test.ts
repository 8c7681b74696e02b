import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { found, proofs } from './policies.ts'

const tests = (when: string): string => `
gates:
  tests:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, action: write } }
      - { from: closed, to: open, when: { event: tool.before, command: npm test${when} } }
    rules: [{ id: r, while: closed, when: { event: tool.before, command: git push }, then: deny, message: Test. }]
`

describe('variables of the environment are tried, set and unset', () => {
  it.each([
    ['it opens only where one is not set', tests(', not: { env: { CI: "true" } }')],
    ['it opens only where one is set so', tests(', env: { CI: "true" }')],
    [
      'a rule refuses what opens it where one is set',
      `${tests('')}  freeze:\n    rules: [{ when: { action: run, env: { FREEZE: "1" } }, then: deny, message: Frozen. }]\n`,
    ],
    [
      'a rule lets it pass only where one is set',
      `${tests('')}  freeze:\n    rules: [{ when: { event: tool.before, action: run }, unless: { env: { THAW: "1" } }, then: deny, message: Frozen. }]\n`,
    ],
  ])('%s: it is not proven', (_, policy) => {
    const proof = proofs(policy)
    expect(isProven(proof)).toBe(false)
    expect([...found(proof).findings, ...found(proof).inconclusive]).toContain('deadlock tests')
  })

  it.each([
    ['a rule speaks only where one is set', 'when: { command: git push --force, env: { CI: "true" } }'],
    [
      'and where it is exempted unless that is so',
      'when: { command: git push --force }, unless: { not: { env: { CI: "true" } } }',
    ],
    ['by a pattern', 'when: { command: git push --force, env: { CI: { regex: "^(1|true)$" } } }'],
    ['two of them', 'when: { command: git push --force, env: { CI: "true", STAGE: prod } }'],
  ])('%s: it is heard, and proven', (_, rule) => {
    const proof = proofs(`${tests('')}  force:\n    rules: [{ ${rule}, then: deny, message: No. }]\n`)
    expect({ ...found(proof), unchecked: proof.unchecked }).toEqual({ findings: [], inconclusive: [], unchecked: [] })
    expect(isProven(proof)).toBe(true)
  })

  it('a gate that one closes is heard', () => {
    const policy = `
gates:
  frozen:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, env: { FREEZE: "1" } } }
      - { from: closed, to: open, when: { event: tool.before, command: thaw, not: { env: { FREEZE: "1" } } } }
    rules: [{ id: r, while: closed, when: { event: tool.before, command: git push }, then: deny, message: Frozen. }]
`
    const { findings, inconclusive } = found(proofs(policy))
    expect(findings.filter(one => one.startsWith('unreachable'))).toEqual([])
    expect(inconclusive).toContain('deadlock frozen')
  })
})
