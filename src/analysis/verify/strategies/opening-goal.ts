import type { Event, Gate, Rule } from '../../../engine/index.ts'
import type { KnownGateStates } from '../abstraction/may-must-evaluator.ts'
import type { OpeningAction } from './opening-actions.ts'

/** What the deed is for. */
export interface OpeningGoal {
  readonly gate: Gate
  readonly opener: OpeningAction
}

/** A rule that may have something against an event. */
export interface RuleObjection {
  readonly rule: Rule
  readonly gate: Gate
  readonly event: Event
  readonly known: KnownGateStates
  readonly approved: boolean
}

export const withOpenGates = (known: KnownGateStates, gates: readonly Gate[]): KnownGateStates =>
  new Map([...known, ...gates.map(gate => [gate.id, 'open'] as const)])

/** Who acts, and who may help. */
export interface StrategyConstraints {
  readonly people: boolean
  /** somebody is spawned in between */
  readonly spawning?: boolean
  /** this agent is in flight and does it all by itself: whoever spawned it waits */
  readonly alone?: string
}
