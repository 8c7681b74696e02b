import { proposeTransitions } from '../../engine/index.ts'
import type { PlayedEvent } from './simulator.ts'

/** The transitions that moved gates, as `gate/transition`. The record names only the gates, so the engine proposes the transitions again. */
export function triggeredTransitions({ input, tools, record }: PlayedEvent): readonly string[] {
  if (record.moves.length === 0) return []
  const { evaluation, proposals } = proposeTransitions(input, tools)
  const moved = new Set(record.moves.map(move => move.gate))
  const caused = proposals.filter(proposal => proposal.problem === undefined && moved.has(proposal.gate.id))
  const clocked = evaluation.clocked.flatMap(move => {
    const gate = input.program.gates.find(candidate => candidate.id === move.gate)
    const by = gate?.transitions.find(
      transition => transition.clock && transition.to === move.to && transition.from.includes(move.from),
    )
    return by ? [`${move.gate}/${by.id}`] : []
  })
  return [...clocked, ...caused.map(({ gate, transition }) => `${gate.id}/${transition.id}`)]
}
