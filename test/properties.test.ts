import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  capabilityOf,
  DECISIONS,
  type Decision,
  lowerOutcome,
  mergeVerdicts,
  NO_OPINION,
  strictestDecision,
  type Verdict,
} from '../src/engine/index.ts'
import { isWeaker } from './support/weaker-decision.ts'

const decision = fc.constantFrom(...DECISIONS)
const verdict: fc.Arbitrary<Verdict> = fc
  .record({ decision, reason: fc.string(), context: fc.string(), message: fc.string() })
  .map(({ decision, reason, ...texts }) =>
    decision === 'pass' ? { decision, ...texts } : { decision, reason, ...texts },
  )

describe('merging decisions', () => {
  it('is associative', () => {
    fc.assert(
      fc.property(
        decision,
        decision,
        decision,
        (a, b, c) => strictestDecision(strictestDecision(a, b), c) === strictestDecision(a, strictestDecision(b, c)),
      ),
    )
  })
  it('is commutative', () => {
    fc.assert(fc.property(decision, decision, (a, b) => strictestDecision(a, b) === strictestDecision(b, a)))
  })
  it('is idempotent', () => {
    fc.assert(fc.property(decision, a => strictestDecision(a, a) === a))
  })
  it('gives the strictest of all verdicts, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(verdict), verdicts => {
        const strict = verdicts.map(one => one.decision).reduce(strictestDecision, 'pass')
        expect(mergeVerdicts(verdicts).decision).toBe(strict)
        expect(mergeVerdicts([...verdicts].reverse()).decision).toBe(strict)
      }),
    )
  })
  it('says no text twice', () => {
    fc.assert(
      fc.property(fc.array(verdict), verdicts => {
        expect(mergeVerdicts([...verdicts, ...verdicts])).toEqual(mergeVerdicts(verdicts))
      }),
    )
  })
})

describe('lowering to what a client can say', () => {
  const can = fc.subarray<Decision>(['allow', 'ask', 'deny']).map(list => ['pass' as const, ...list])

  it('never weakens where the event can be blocked at all', () => {
    fc.assert(
      fc.property(decision, can, (wanted, list) => {
        if (!list.includes('deny')) return
        const lowered = lowerOutcome({ ...NO_OPINION, decision: wanted, reason: 'because' }, { can: list })
        expect(isWeaker(lowered.decision, wanted)).toBe(false)
        expect(list).toContain(lowered.decision)
      }),
    )
  })

  it('never swallows a refusal: what cannot be decided is said', () => {
    fc.assert(
      fc.property(fc.constantFrom<Decision>('deny', 'ask'), wanted => {
        const lowered = lowerOutcome(
          { ...NO_OPINION, decision: wanted, reason: 'because' },
          { can: ['pass'], context: true },
        )
        expect(lowered).toEqual({ ...NO_OPINION, context: 'because' })
      }),
    )
  })

  it('a kind of event a client does not list can only pass', () => {
    const none = { events: {}, shortens: true, callers: 'none', reportsExit: false, reportsEnd: false } as const
    expect(capabilityOf(none, 'tool.before')).toEqual({ can: ['pass'] })
  })
})
