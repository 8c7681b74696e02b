import type { EvaluationResult } from '../../../engine/index.ts'
import type { SampleCall } from '../abstraction/residual-condition.ts'
import { possibleCallEndings, toCallEndEvent } from './call-endings.ts'
import { pendingCallId, pendingCallIndex, withPendingCall } from './pending-calls.ts'
import type { StateSpace, SystemState } from './state-space.ts'
import type { StateTransition, SystemStep } from './step.ts'
import type { EventPlayer } from './transition-system-options.ts'

/** The call keeps running while other calls are made. At most one call is pending. */
export function leaveCallRunning(
  states: StateSpace,
  { session, liveAgent }: SystemState,
  beginResult: EvaluationResult,
  step: SystemStep,
  at: number,
): readonly StateTransition[] {
  if (step.actor !== 'main' || beginResult.outcome.decision === 'ask' || pendingCallIndex(session) !== undefined)
    return []
  return [
    {
      step: { ...step, ending: 'begun' },
      ...states.reach(withPendingCall(beginResult.session, at), liveAgent),
      results: [beginResult],
    },
  ]
}

/** The end of the pending call. The caller is taken to be the main agent: the caller makes no difference to a closing. */
export function endPendingCall(
  system: EventPlayer,
  { session, liveAgent }: SystemState,
  calls: readonly SampleCall[],
  asksStatus: boolean,
): readonly StateTransition[] {
  const at = pendingCallIndex(session)
  const call = at === undefined ? undefined : calls[at]
  if (at === undefined || !call) return []
  const begun = system.beginEvent(call, 'main')
  const event = { ...begun, ...(begun.call && { call: { ...begun.call, id: pendingCallId(at) } }) }
  return possibleCallEndings(system.profile, event, { isAttested: call.isAttested, isStatusRead: asksStatus }).map(
    ({ kind, status, attestedStatus }) => {
      const result = system.evaluate(toCallEndEvent(event, kind, status, attestedStatus), session, {
        approved: call.isApproved,
      })
      const step: SystemStep = { actor: 'main', call, ending: attestedStatus ?? status, endsPendingCall: true }
      return { step, ...system.states.reach(result.session, liveAgent), results: [result] }
    },
  )
}

export const startAnotherSession = (states: StateSpace, state: SystemState): StateTransition => ({
  ...{ step: { actor: 'client', startsSession: true }, to: states.startSession(state), results: [] },
})
