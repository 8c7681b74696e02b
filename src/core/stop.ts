import type { Event } from './event.ts'
import type { Session } from './session.ts'
import type { Outcome } from './verdict.ts'

const MOST_REFUSALS = 5

export const isStop = (event: Event): boolean => event.kind === 'turn.stop' || event.kind === 'agent.stop'

/** A stop is held once: never when the client says it already continues because of us, nor more than five times in a row. */
export function letStop(outcome: Outcome, event: Event, session: Session): Outcome {
  if (!isStop(event) || outcome.decision === 'pass' || outcome.decision === 'allow') return outcome
  if (!event.stopActive && session.stopsRefused < MOST_REFUSALS) return outcome
  const [first = ''] = outcome.reason.split('\n', 1)
  const message = `signalbox: let the agent stop although a gate would hold it: ${first}`
  return { ...outcome, decision: 'pass', reason: '', message: [outcome.message, message].filter(Boolean).join('\n') }
}
