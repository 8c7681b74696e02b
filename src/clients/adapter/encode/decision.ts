import type { Capability, Outcome } from '../../../engine/index.ts'

/** The decision in terms of this event. `continue: false` becomes a denial where it cannot end the session (`ends` is false). */
export const toSupportedDecision = ({ can }: Capability, outcome: Outcome, ends = false): Outcome['decision'] => {
  if (!outcome.continue && !ends && can.includes('deny')) return 'deny'
  return can.includes(outcome.decision) ? outcome.decision : 'pass'
}
