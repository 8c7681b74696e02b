import type { EvaluationResult } from '../../../engine/index.ts'
import type { SampleCall } from '../abstraction/residual-condition.ts'
import { possibleCallEndings, toCallEndEvent } from './call-endings.ts'
import type { StateSpace } from './state/state-space.ts'
import type { SystemState } from './state/system-state.ts'
import type { StateTransition, SystemStep } from './step.ts'
import type { EventPlayer } from './transition-system-options.ts'

/** The call keeps running while other calls are made. At most one call is pending. */
export function leaveCallRunning(
  states: StateSpace,
  state: SystemState,
  beginResult: EvaluationResult,
  step: SystemStep,
  at: number,
): readonly StateTransition[] {
  if (step.actor !== 'main' || beginResult.outcome.decision === 'ask' || state.pendingCall !== undefined) return []
  return [
    {
      step: { ...step, ending: 'running' },
      ...states.reach(beginResult.session, { ...state, pendingCall: at }),
      results: [beginResult],
    },
  ]
}

/** The end of the pending call. The caller is taken to be the main agent: the caller makes no difference to a closing. */
export function endPendingCall(
  system: EventPlayer,
  state: SystemState,
  calls: readonly SampleCall[],
  isStatusRead: boolean,
): readonly StateTransition[] {
  const { session, pendingCall, ...control } = state
  const call = pendingCall === undefined ? undefined : calls[pendingCall]
  if (!call) return []
  const begun = system.beginEvent(call, 'main')
  const event = { ...begun, ...(begun.call && { call: { ...begun.call, id: `pending-${pendingCall}` } }) }
  return possibleCallEndings(system.profile, event, { isAttested: call.isAttested, isStatusRead }).map(
    ({ kind, status, attestedStatus }) => {
      const result = system.evaluate(toCallEndEvent(event, kind, status, attestedStatus), session, {
        approved: call.isApproved,
      })
      const step: SystemStep = { actor: 'main', call, ending: attestedStatus ?? status, endsPendingCall: true }
      return { step, ...system.states.reach(result.session, control), results: [result] }
    },
  )
}

export const startAnotherSession = (states: StateSpace, state: SystemState): StateTransition => ({
  ...{ step: { actor: 'client', startsSession: true }, to: states.startSession(state), results: [] },
})
