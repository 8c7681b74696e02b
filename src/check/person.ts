import type { State } from './state.ts'
import type { Move, World } from './world.ts'

/** A person opens what only a person opens, in whatever way. */
export function openedByPerson({ program, states }: World, state: State): readonly Move[] {
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
