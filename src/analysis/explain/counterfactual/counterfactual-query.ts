import type { Decision, Event, Gate, Rule } from '../../../engine/index.ts'
import { refusingGatesOf } from './by-state.ts'
import type { CounterfactualTools, EventAtPoint } from './counterfactual.ts'

/** A denied event whose text or actions are varied. */
export interface CounterfactualQuery {
  readonly point: EventAtPoint
  readonly now: Decision
  readonly refused: Parameters<typeof refusingGatesOf>[0]
  readonly ask: (event: Event) => Decision
  readonly tools: CounterfactualTools
}

/** The rules that denied the event. */
export function denyingRulesOf({ point, refused }: CounterfactualQuery): readonly Rule[] {
  const gates = point.simulator.program.gates.filter(gate => refusingGatesOf(refused).has(gate.id))
  return gates.flatMap(({ id, rules }: Gate) =>
    rules.filter(rule => refused.matches.some(match => match.gate === id && match.rule === rule.id)),
  )
}
