import { mainInstanceOf } from './state/state-keys.ts'
import type { SystemState } from './state/system-state.ts'
import type { StateTransition } from './step.ts'
import type { EventPlayer } from './transition-system-options.ts'

/** A person can open every closed gate with `opens: human`. */
export function humanOpenings({ program, states }: EventPlayer, state: SystemState): readonly StateTransition[] {
  const { gates, shared } = state.session
  const closed = program.gates.filter(
    gate => gate.opens === 'human' && (gates[mainInstanceOf(gate)] ?? shared[gate.id])?.state === 'closed',
  )
  return closed.map(gate => ({
    step: { actor: 'person', openedGate: gate.name },
    to: states.openByPerson(state, gate),
    results: [],
  }))
}
