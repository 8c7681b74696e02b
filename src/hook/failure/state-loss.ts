import type { Client } from '../../clients/index.ts'
import type { Outcome } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'

/** After stored state was lost, earlier transitions are unknown: gates with failure mode `closed` start closed. */
export const resetGates = (program: Policy): Policy => ({
  ...program,
  gates: program.gates.map(gate =>
    gate.onError === 'closed' && gate.initial === 'open' ? { ...gate, initial: 'closed' } : gate,
  ),
})

/** Adds the client's own texts about lost state: a message for the person, and a reason if the call was denied. */
export const withResetTexts = (
  words: NonNullable<Client['resetWords']>,
  outcome: Outcome,
  refused: boolean,
): Outcome => ({
  ...outcome,
  ...(refused && { reason: words.reason }),
  message: [outcome.message, words.message].filter(Boolean).join('\n'),
})
