import type { Capability, Outcome } from '../../../engine/index.ts'

/** The decision as this event can say it. Where it cannot end the session, `continue: false` is a refusal, if there is one. */
export const toSupportedDecision = ({ can }: Capability, outcome: Outcome, ends = false): Outcome['decision'] => {
  if (!outcome.continue && !ends && can.includes('deny')) return 'deny'
  return can.includes(outcome.decision) ? outcome.decision : 'pass'
}
