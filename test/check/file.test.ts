import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { proofOf, withPolicies } from './ground.ts'

const proofOfPolicy = (policy: string) =>
  withPolicies((load, root) =>
    proofOf(load(policy), root, { clients: clients.filter(one => one.id === 'claude-code') }),
  )

describe('conditions on what is known of a file', () => {
  it.each([
    ['read before edit', '{ action: write, file: exists, not: { file: read } }', 'Read it first.'],
    ['no downloaded code', '{ action: run, file: fetched }', 'Show the code first.'],
  ])('a gate that only denies such calls is no dead end: %s', (_, when, message) => {
    const proof = proofOfPolicy(`gates:\n  g:\n    rules: [{ when: ${when}, then: deny, message: ${message} }]\n`)
    expect(proof.findings).toEqual([])
    expect(isProven(proof)).toBe(true)
  })

  it('that another gate opens in spite of it is not certain', () => {
    const proof = proofOfPolicy(`
gates:
  plan:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, action: write, path: PLAN.md, succeeded: true } }]
    rules: [{ while: closed, when: { command: git push }, then: deny, message: Write PLAN.md first. }]
  read-first:
    rules: [{ when: { action: write, not: { file: read } }, then: deny, message: Read it first. }]
`)
    expect(isProven(proof)).toBe(false)
  })

  it('a gate that only this key opens is not certain', () => {
    const proof = proofOfPolicy(`
gates:
  g:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.before, action: write, file: read } }]
    rules: [{ while: closed, when: { command: git push }, then: deny, message: Read first. }]
`)
    expect(isProven(proof)).toBe(false)
  })
})
