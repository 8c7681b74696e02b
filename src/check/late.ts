import type { Result } from '../core/index.ts'
import { pendingId, pendingIn, withPending } from './awaited.ts'
import type { Call } from './call.ts'
import type { State, States } from './state.ts'
import type { Step } from './step.ts'
import { endOf, endsOf } from './telling.ts'
import type { Move, World } from './world.ts'

/** It may go on while others are made: two at once. */
export function goesOn(
  states: States,
  { session, live }: State,
  begun: Result,
  step: Step,
  at: number,
): readonly Move[] {
  if (step.by !== 'main' || begun.outcome.decision === 'ask' || pendingIn(session) !== undefined) return []
  return [
    { step: { ...step, end: 'begun' }, ...states.reached(withPending(begun.session, at), live), results: [begun] },
  ]
}

/** The end of a call that was begun before others. Of the main agent: which of them it is makes no difference to a closing. */
export function lateEnds(
  world: World,
  { session, live }: State,
  calls: readonly Call[],
  asksStatus: boolean,
): readonly Move[] {
  const at = pendingIn(session)
  const call = at === undefined ? undefined : calls[at]
  if (at === undefined || !call) return []
  const begun = world.beginning(call, 'main')
  const event = { ...begun, ...(begun.call && { call: { ...begun.call, id: pendingId(at) } }) }
  return endsOf(world.view, event, { witnessed: call.witnessed, asked: asksStatus }).map(({ kind, status, ended }) => {
    const result = world.ask(endOf(event, kind, status, ended), session, { approved: call.approved })
    const step: Step = { by: 'main', call, end: ended ?? status, late: true }
    return { step, ...world.states.reached(result.session, live), results: [result] }
  })
}

export const another = (states: States, state: State): Move => ({
  ...{ step: { by: 'client', another: true }, to: states.another(state), results: [] },
})
