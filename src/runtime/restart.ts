import type { Policy } from '../policy/index.ts'

/** After stored state was lost: what a gate had seen is not known, and one that fails closed does not begin open. */
export const closedAgain = (program: Policy): Policy => ({
  ...program,
  gates: program.gates.map(gate =>
    gate.onError === 'closed' && gate.initial === 'open' ? { ...gate, initial: 'closed' } : gate,
  ),
})
