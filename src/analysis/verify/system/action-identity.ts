import type { EquivalenceClasses } from '../abstraction/equivalence-classes.ts'
import type { CallParser, SampleCall } from '../abstraction/residual-condition.ts'
import type { AgentAction } from './agent-action.ts'
import { isUnreliableEnding, toCallEndEvent } from './call-endings.ts'
import type { ClientProfile } from './client-profile.ts'
import type { SystemStep } from './step.ts'

/** The call that requests an approval. Approved calls come from agents that `signalbox orchestrate` starts. */
export function createApprovalRequestCall({ parseEvent }: CallParser): SampleCall | undefined {
  const short = { shell: 'signalbox orchestrate some-task' }
  const before = parseEvent(short)
  return before?.call ? { shorthand: short, beforeEvent: before, isApproved: false, isAttested: false } : undefined
}

/** Actions with the same key are indistinguishable to the gates of these equivalence classes. */
export const actionClassKey = ({ actor, call, events }: AgentAction, classes: EquivalenceClasses): string => {
  if (call) return `${classes.classOfAgent(actor)} ${classes.classOfCall(call)}`
  return events[0]?.kind === 'turn.stop' ? 'the turn ends' : `${classes.classOfAgent(actor)} stops`
}

/** The client reports exit statuses, but the status of this call is unknown. */
export const hasUnreliableEnding = ({ ending, call }: SystemStep, profile: ClientProfile): boolean =>
  ending === 'unknown' &&
  call !== undefined &&
  isUnreliableEnding(profile, toCallEndEvent(call.beforeEvent, 'tool.after', 'unknown'))
