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

declare const brand: unique symbol

/** Actions of one class are indistinguishable to the gates of these equivalence classes. */
export type ActionClass = string & { readonly [brand]: 'action class' }

export const callClass = (actor: string, call: SampleCall, classes: EquivalenceClasses): ActionClass =>
  `${classes.classOfAgent(actor)} ${classes.classOfCall(call)}` as ActionClass

export const stopClass = (actor: string, classes: EquivalenceClasses): ActionClass =>
  `${classes.classOfAgent(actor)} stops` as ActionClass

export const TURN_END_CLASS = 'the turn ends' as ActionClass

export const actionClassOf = ({ actor, call, events }: AgentAction, classes: EquivalenceClasses): ActionClass => {
  if (call) return callClass(actor, call, classes)
  return events[0]?.kind === 'turn.stop' ? TURN_END_CLASS : stopClass(actor, classes)
}

/** The client reports exit statuses, but the status of this call is unknown. */
export const hasUnreliableEnding = ({ ending, call }: SystemStep, profile: ClientProfile): boolean =>
  ending === 'unknown' &&
  call !== undefined &&
  isUnreliableEnding(profile, toCallEndEvent(call.beforeEvent, 'tool.after', 'unknown'))
