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
export const actionClassKey = ({ actor, call, events }: AgentAction, like: EquivalenceClasses): string => {
  if (call) return `${like.classOfAgent(actor)} ${like.classOfCall(call)}`
  return events[0]?.kind === 'turn.stop' ? 'the turn ends' : `${like.classOfAgent(actor)} stops`
}

/** The client reports exit statuses, but the status of this call is unknown. */
export const hasUnreliableEnding = ({ ending, call }: SystemStep, view: ClientProfile): boolean =>
  ending === 'unknown' &&
  call !== undefined &&
  isUnreliableEnding(view, toCallEndEvent(call.beforeEvent, 'tool.after', 'unknown'))
