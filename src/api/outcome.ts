import type { PlayedStep } from '../analysis/policy-test/index.ts'
import type { Policy } from '../policy/index.ts'
import type { GateState, Outcome } from '../types/index.ts'

/** The result of one event, in public names. */
export function outcomeOf(
  { played, answer, notes }: PlayedStep,
  { gates }: Policy,
  states: Readonly<Record<string, GateState>>,
): Outcome {
  const nameOf = (id: string): string => gates.find(gate => gate.id === id)?.name ?? id
  const records = played.map(({ result }) => result.record)
  const decided = answer?.result
  const { decision = 'pass', reason = '', context = '', message = '' } = decided?.outcome ?? {}
  const { gate, rule } = decided?.record ?? {}
  const matches = records.flatMap(record => record.matches)
  return {
    decision,
    reason,
    context,
    message,
    ...(gate !== undefined && { gate: nameOf(gate) }),
    ...(rule !== undefined && { rule }),
    hasWarning: decision === 'pass' && matches.some(({ effect }) => effect === 'warn'),
    matches: matches.map(({ gate: id, rule: name, says, effect, unsure }) => ({
      gate: nameOf(id),
      rule: name,
      says,
      effect,
      isUnsure: unsure === true,
    })),
    moves: records.flatMap(({ moves }) =>
      moves.filter(({ from, to }) => from !== to).map(({ gate: id, from, to }) => ({ gate: nameOf(id), from, to })),
    ),
    gates: states,
    notes: [...notes, ...records.flatMap(({ errors }) => errors)],
  }
}
