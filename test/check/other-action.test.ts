import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { proofOf, withPolicies } from './ground.ts'

const proofOfPolicy = (policy: string) =>
  withPolicies((load, root) =>
    proofOf(load(policy), root, { clients: clients.filter(one => one.id === 'claude-code') }),
  )
const kinds = (policy: string): readonly string[] => proofOfPolicy(policy).findings.map(one => one.kind)

const gate = (opens: string, more = ''): string => `
gates:
  both:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, ${opens} } }]
    rules: [{ while: closed, when: { command: git push }, then: deny, message: Lint and test in one line. }]
${more}`

describe('a gate that opens with two actions of one call', () => {
  it.each([
    ['two commands', 'command: npm test, succeeded: true, with: { command: npm run lint, succeeded: true }'],
    ['a file and a page', 'action: write, path: a.txt, with: { action: fetch, url: "https://a.example/x" }'],
    ['two files', 'action: write, path: a.txt, with: { action: write, path: b.txt }'],
    ['one of two', 'command: npm test, with: { any: [{ command: a }, { command: b }] }'],
  ])('it is proven: %s', (_, opens) => {
    const proof = proofOfPolicy(gate(opens))
    expect(proof.findings).toEqual([])
    expect(isProven(proof)).toBe(true)
  })

  it('it is stuck if another gate denies the other action', () => {
    const deny = '  no-lint:\n    rules: [{ when: { command: npm run lint }, then: deny, message: no }]\n'
    expect(
      kinds(gate('command: npm test, succeeded: true, with: { command: npm run lint, succeeded: true }', deny)),
    ).toContain('deadlock')
  })

  it('it is stuck if another gate denies the two together', () => {
    const deny =
      '  apart:\n    rules: [{ when: { command: npm test, with: { command: npm run lint } }, then: deny, message: no }]\n'
    expect(kinds(gate('command: npm test, with: { command: npm run lint }', deny))).toContain('deadlock')
  })

  it('it opens by a call that a rule exempts for its other action', () => {
    const deny =
      '  tagged:\n    rules: [{ when: { command: npm test }, unless: { with: { command: git fetch } }, then: deny, message: no }]\n'
    const proof = proofOfPolicy(gate('command: npm test', deny))
    expect(proof.findings).toEqual([])
    expect(isProven(proof)).toBe(true)
  })

  it('what no line can do beside another is not certain', () => {
    const proof = proofOfPolicy(gate('command: npm test, with: { action: spawn }'))
    expect(isProven(proof)).toBe(false)
  })
})
