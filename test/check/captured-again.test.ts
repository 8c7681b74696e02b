import { describe, expect, it } from 'vitest'
import { found, proofs } from './policies.ts'

/** The judge may speak again, and what it says then takes the place of what it said before. */
const judged = (schema: string, opens: string, more = ''): string => `
gates:
  verdict:
    initial: closed
    transitions:
      - { id: judged, from: [closed, open], to: open, when: { event: agent.stop, agent: judge }, capture: { v: { json: ${schema} } } }
${more}  push:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.before, command: prepare, ${opens} } }
      - { id: c, from: open, to: closed, when: { event: agent.stop, agent: judge } }
    rules: [{ id: p, while: closed, when: { event: tool.before, command: git push }, then: deny, message: prepare first. }]
`
const VERDICT = '{ type: object, required: [verdict], properties: { verdict: { enum: [reject, approve] } } }'
const APPROVED = 'captured: { verdict.v.verdict: approve }'

describe('what is captured again', () => {
  it.each([
    ['the second answer may be the one that opens', judged(VERDICT, APPROVED)],
    [
      'the second answer may leave out what was wrong',
      judged(
        '{ type: object, properties: { blocked: { type: string } } }',
        'not: { captured: { verdict.v.blocked: { regex: "." } } }',
      ),
    ],
    [
      'a field within a field',
      judged(
        '{ type: object, required: [review], properties: { review: { type: object, required: [by], properties: { by: { enum: [a, b] } } } } }',
        'captured: { verdict.v.review.by: b }',
      ),
    ],
  ])('is known: %s', (_, policy) => {
    expect(found(proofs(policy))).toEqual({ findings: [], inconclusive: [] })
  })

  it('routes again where the agent it named may not be spawned', () => {
    const policy = `
use: [{ router-first: { handoff: true } }]
gates:
  only-two: { rules: [{ id: r, when: { action: spawn }, unless: { agent: [router, dev] }, then: deny, message: Only these. }] }
`
    const kinds = proofs(policy).findings.map(one => one.kind)
    // it is told to spawn an agent that it may not spawn: that is so
    expect(kinds).toEqual(['misleading'])
  })

  it('is a lock where the judge cannot speak again', () => {
    const once =
      '    rules: [{ id: again, when: { event: tool.before, action: spawn, agent: judge, captured: { verdict.v.verdict: reject } }, then: deny, message: It has spoken. }]\n'
    const [first] = proofs(judged(VERDICT, APPROVED, once)).findings
    expect(first).toMatchObject({ kind: 'deadlock', gate: 'user/push' })
  })
})
