import type { Event, Gate, Rule } from '../../../engine/index.ts'
import type { KnownGateStates } from '../abstraction/may-must-evaluator.ts'
import type { OpeningAction } from './opening-actions.ts'

/** The gate that an action is meant to open. */
export interface OpeningGoal {
  readonly gate: Gate
  readonly opener: OpeningAction
}

/** A rule that may refuse an event. */
export interface RuleObjection {
  readonly rule: Rule
  readonly gate: Gate
  readonly event: Event
  readonly knownStates: KnownGateStates
  readonly approved: boolean
}

export const withOpenGates = (known: KnownGateStates, gates: readonly Gate[]): KnownGateStates =>
  new Map([...known, ...gates.map(gate => [gate.id, 'open'] as const)])

/** The actor of a strategy, and the help it may use. */
export interface StrategyConstraints {
  readonly withPeople: boolean
  /** an agent is spawned between the last opening and the goal */
  readonly isSpawnBeforeGoal?: boolean
  /** this agent is live and acts alone, while the main agent waits for it */
  readonly loneAgent?: string
}
