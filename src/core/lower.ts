import type { Capability } from './capability.ts'
import type { Decision } from './decision.ts'
import { CONTEXT_RULE, join } from './merge.ts'
import type { Outcome } from './verdict.ts'

/** The nearest decision this client understands here that does not let more through. */
const INSTEAD: Readonly<Record<Decision, readonly Decision[]>> = {
  deny: ['deny'],
  ask: ['ask', 'deny'],
  allow: ['allow', 'pass'],
  pass: ['pass'],
}

/**
 * What cannot be said here is never swallowed: a refusal on an event the client cannot block becomes words for the agent.
 */
export function lower(outcome: Outcome, capability: Capability): Outcome {
  const { decision } = outcome
  if (decision === 'pass' || capability.can.includes(decision)) return outcome
  const instead = INSTEAD[decision].find(one => one === 'pass' || capability.can.includes(one))
  if (instead === 'deny') return { ...outcome, decision: 'deny' }
  if (instead === 'pass') return { ...outcome, decision: 'pass', reason: '' }
  return { ...outcome, decision: 'pass', reason: '', context: join([outcome.reason, outcome.context], CONTEXT_RULE) }
}
