import type { Condition, Gate, GateState } from '../../../engine/index.ts'
import { rulesOf } from './condition-atoms.ts'

/** Gate states in which the gate's rules do not fire or its transitions can happen. */
export function favourableStatesForGate(gate: Gate): readonly (readonly [string, GateState])[] {
  return [
    ...gate.transitions.flatMap(({ when, to }) => [
      ...favourableGateStates(when, true),
      // a call that also closes the gate does not leave it open
      ...(to === 'closed' ? favourableGateStates(when, false) : []),
    ]),
    ...rulesOf(gate).flatMap(rule => [
      ...favourableGateStates(rule.when, false),
      ...(rule.unless ? favourableGateStates(rule.unless, true) : []),
      ...(rule.while === 'open' ? [[gate.id, 'closed'] as const] : []),
    ]),
  ]
}

/** Is a condition more favourable soon after the gate was closed, so that closing it again helps? */
export const isFreshClosingUseful = (gate: Gate): boolean =>
  gate.transitions.some(({ when, to }) => isSoonFavourable(when, to === 'open')) ||
  rulesOf(gate).some(
    ({ when, unless }) => isSoonFavourable(when, false) || (unless !== undefined && isSoonFavourable(unless, true)),
  )

/** Is the condition more likely to have the wanted value if little time has passed since the gate was closed? */
function isSoonFavourable(condition: Condition, wanted: boolean): boolean {
  if ('all' in condition) return condition.all.some(one => isSoonFavourable(one, wanted))
  if ('any' in condition) return condition.any.some(one => isSoonFavourable(one, wanted))
  if ('not' in condition) return isSoonFavourable(condition.not, !wanted)
  return (
    'key' in condition &&
    condition.key === 'since' &&
    !wanted &&
    condition.counters.some(({ mark }) => mark !== 'opened')
  )
}

/** Gate states that make the condition more likely to have the wanted value. */
export function favourableGateStates(condition: Condition, wanted: boolean): readonly (readonly [string, GateState])[] {
  if ('all' in condition) return condition.all.flatMap(condition => favourableGateStates(condition, wanted))
  if ('any' in condition) return condition.any.flatMap(condition => favourableGateStates(condition, wanted))
  if ('not' in condition) return favourableGateStates(condition.not, !wanted)
  if ('with' in condition || condition.key !== 'gate') return []
  return condition.states.flatMap(({ gate, state }) =>
    (['open', 'closed'] as const).filter(one => state.includes(one) === wanted).map(one => [gate, one] as const),
  )
}
