import { expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { found, proofs } from './policies.ts'

const work = '[{ id: r, while: closed, when: { event: tool.before, action: run }, then: deny, message: Not yet. }]'

it('the clocks of two gates run apart: one is due while the other is half way', () => {
  const policy = `
gates:
  red:
    initial: open
    transitions:
      - { id: o, from: closed, to: open, when: { since: { changed: { seconds: 90 } } } }
      - { id: c, from: open, to: closed, when: { event: agent.start } }
    rules: ${work}
  green:
    initial: open
    transitions:
      - { id: o, from: closed, to: open, when: { event: agent.stop } }
      - { id: c, from: open, to: closed, when: { since: { opened: { seconds: 90 } } } }
    rules: ${work}
`
  const proof = proofs(policy)
  expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
  expect(isProven(proof)).toBe(true)
})

it('and where they are wound up by the same thing, they never do', () => {
  const policy = `
gates:
  red:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { since: { closed: { seconds: 90 } } } }
      - { id: c, from: open, to: closed, when: { event: turn.stop } }
    rules: ${work}
  green:
    initial: open
    transitions:
      - { id: o, from: closed, to: open, when: { event: turn.stop, gate: { red: open } } }
      - { id: c, from: open, to: closed, when: { since: { opened: { seconds: 90 } } } }
    rules: ${work}
`
  expect(found(proofs(policy)).findings).toEqual(['deadlock red'])
})
