import type { PlayedStep } from '../analysis/simulator/index.ts'
import type { Policy } from '../policy/index.ts'
import type { GateState, Outcome } from '../types/index.ts'

/** The result of one event, in public names. */
export function outcomeOf(
  { played, answer, notes }: PlayedStep,
  { gates }: Policy,
  states: Readonly<Record<string, GateState>>,
): Outcome {
  const nameOf = (id: string): string => gates.find(gate => gate.id === id)?.name ?? id
  const records = played.map(({ record }) => record)
  const { decision = 'pass', reason = '', context = '', message = '' } = answer?.outcome ?? {}
  const { gate, rule } = answer?.record ?? {}
  const matches = records.flatMap(record => record.matches)
  return {
    decision,
    reason,
    context,
    message,
    ...(gate !== undefined && { gate: nameOf(gate) }),
    ...(rule !== undefined && { rule }),
    hasWarning: decision === 'pass' && matches.some(({ effect }) => effect === 'warn'),
    matches: matches.map(({ gate: id, rule: name, decision: ruleDecision, effect, unsure }) => ({
      gate: nameOf(id),
      rule: name,
      decision: ruleDecision,
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
