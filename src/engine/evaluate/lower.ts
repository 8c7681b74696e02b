import { joinDistinct } from '../../lib/join-distinct.ts'
import type { Capability } from '../model/capabilities.ts'
import type { Event } from '../model/event.ts'
import type { Session } from '../model/session.ts'
import type { Decision, Outcome } from '../model/verdict.ts'
import { CONTEXT_SEPARATOR } from './merge.ts'

/** What to try in place of a decision that the client does not support, nearest first. No replacement lets more through. */
const INSTEAD: Readonly<Record<Decision, readonly Decision[]>> = {
  deny: ['deny'],
  ask: ['ask', 'deny'],
  allow: ['allow', 'pass'],
  pass: ['pass'],
}

const NOBODY_ASKED = 'A person has to agree, and cannot be asked here: tell them.'

/** No text is lost: if the client cannot block at this event, the reason of the denial becomes context for the agent. */
export function lowerOutcome(outcome: Outcome, capability: Capability): Outcome {
  const { decision } = outcome
  if (decision === 'pass' || capability.can.includes(decision)) return outcome
  const instead = INSTEAD[decision].find(one => one === 'pass' || capability.can.includes(one))
  if (instead === 'deny') return { ...outcome, decision: 'deny', reason: `${outcome.reason}\n${NOBODY_ASKED}` }
  if (instead === 'pass') return { ...outcome, decision: 'pass', reason: '' }
  return {
    ...outcome,
    decision: 'pass',
    reason: '',
    context: joinDistinct([outcome.reason, outcome.context], CONTEXT_SEPARATOR),
  }
}

const MOST_REFUSALS = 5

export const isStopEvent = (event: Event): boolean => event.kind === 'turn.stop' || event.kind === 'agent.stop'

/** Prevents stop loops: the agent may stop if the client already continues because of a stop hook, or after five denials in a row. */
export function breakStopLoop(outcome: Outcome, event: Event, session: Session): Outcome {
  if (!isStopEvent(event) || outcome.decision === 'pass' || outcome.decision === 'allow') return outcome
  if (!event.stopActive && session.stopsRefused < MOST_REFUSALS) return outcome
  const [first = ''] = outcome.reason.split('\n', 1)
  const message = `signalbox: let the agent stop although a gate would hold it: ${first}`
  return { ...outcome, decision: 'pass', reason: '', message: [outcome.message, message].filter(Boolean).join('\n') }
}
