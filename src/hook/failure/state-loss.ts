import type { Client } from '../../clients/index.ts'
import type { Outcome } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'

/** After stored state was lost: what a gate had seen is not known, and one that fails closed does not begin open. */
export const resetGates = (program: Policy): Policy => ({
  ...program,
  gates: program.gates.map(gate =>
    gate.onError === 'closed' && gate.initial === 'open' ? { ...gate, initial: 'closed' } : gate,
  ),
})

/** The protocol's own words for it: the person is told, and the gate that waits for its work to be done again says why. */
export const withResetTexts = (
  words: NonNullable<Client['resetWords']>,
  outcome: Outcome,
  refused: boolean,
): Outcome => ({
  ...outcome,
  ...(refused && { reason: words.reason }),
  message: [outcome.message, words.message].filter(Boolean).join('\n'),
})
