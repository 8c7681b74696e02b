import type { SystemState } from './state-space.ts'
import type { StateTransition, TransitionSystem } from './transition-system.ts'

/** A person can open every closed gate with `opens: human`. */
export function humanOpenings({ program, states }: TransitionSystem, state: SystemState): readonly StateTransition[] {
  const { gates, shared } = state.session
  const closed = program.gates.filter(
    ({ id, opens, scope }) =>
      opens === 'human' && (gates[scope === 'agent' ? `${id}@main` : id] ?? shared[id])?.state === 'closed',
  )
  return closed.map(gate => ({
    step: { by: 'person', opens: gate.name },
    to: states.opened(state, gate),
    results: [],
  }))
}
