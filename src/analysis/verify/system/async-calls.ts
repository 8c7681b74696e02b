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
  { session, live }: SystemState,
  begun: EvaluationResult,
  step: SystemStep,
  at: number,
): readonly StateTransition[] {
  if (step.by !== 'main' || begun.outcome.decision === 'ask' || pendingCallIndex(session) !== undefined) return []
  return [
    { step: { ...step, end: 'begun' }, ...states.reached(withPendingCall(begun.session, at), live), results: [begun] },
  ]
}

/** The end of the pending call. The caller is taken to be the main agent: the caller makes no difference to a closing. */
export function endPendingCall(
  world: EventPlayer,
  { session, live }: SystemState,
  calls: readonly SampleCall[],
  asksStatus: boolean,
): readonly StateTransition[] {
  const at = pendingCallIndex(session)
  const call = at === undefined ? undefined : calls[at]
  if (at === undefined || !call) return []
  const begun = world.beginning(call, 'main')
  const event = { ...begun, ...(begun.call && { call: { ...begun.call, id: pendingCallId(at) } }) }
  return possibleCallEndings(world.view, event, { witnessed: call.witnessed, asked: asksStatus }).map(
    ({ kind, status, ended }) => {
      const result = world.ask(toCallEndEvent(event, kind, status, ended), session, { approved: call.approved })
      const step: SystemStep = { by: 'main', call, end: ended ?? status, late: true }
      return { step, ...world.states.reached(result.session, live), results: [result] }
    },
  )
}

export const startAnotherSession = (states: StateSpace, state: SystemState): StateTransition => ({
  ...{ step: { by: 'client', another: true }, to: states.another(state), results: [] },
})
