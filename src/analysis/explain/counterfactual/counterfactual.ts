import type { Caller, Decision, Event, Gate, GateState, TextPattern } from '../../../engine/index.ts'
import type { Simulator } from '../../simulator/index.ts'

/** An event that can move a gate. Only the `CounterfactualTools` that created it know its content. */
export interface CandidateMove {
  /** id of the transition that it triggers */
  readonly transition: string
  /** the shell line to type, if it differs from the command in the transition */
  readonly line?: string
  /** description of the move, if the transition's condition names more than was played */
  readonly decision?: string
  /** `an agent`, if neither the main agent nor the event's caller makes the move */
  readonly by?: string
}

/** The simulator after all moves; or the index of the denied move and the gate that denied it. */
export type MoveSequenceResult =
  | {
      readonly simulator: Simulator
      /** indexes of the moves that a person must confirm */
      readonly asks?: readonly number[]
    }
  | { readonly at: number; readonly by: string | undefined }

/** An event, and the simulator at the point before it. */
export interface EventAtPoint {
  readonly simulator: Simulator
  readonly event: Event
}

/** What the search needs besides the simulator: ways to change the event, and events to play before it. */
export interface CounterfactualTools {
  /** the event with another shell line; absent if the call has no shell line */
  readonly retyped?: (line: string) => Event | undefined
  /** a text that the pattern matches */
  readonly textLike?: (pattern: TextPattern) => string | undefined
  /** moves that may bring the gate to `to`; their success is not certain */
  movesTo(gate: Gate, to: GateState): readonly CandidateMove[]
  /** plays the moves in order, starting from the state before the event */
  play(moves: readonly CandidateMove[]): MoveSequenceResult
  /** the same event from this caller, whose spawn is played first; undefined if the spawn is denied */
  as(caller: Caller, from: EventAtPoint): (EventAtPoint & { readonly isAsked?: boolean }) | undefined
}

/** A change that leads to another decision. It was played: the decision comes from the simulator. */
export interface Counterfactual {
  readonly by: 'state' | 'caller' | 'command'
  readonly decision: Decision
  readonly text: string
}

/** The change and the resulting decision, in words. */
export const describeCounterfactual = (change: string, decision: Decision): string =>
  `${change}: then ${describeDecision(decision)}`

/** A counterfactual with the data needed to combine it with others. */
export interface CounterfactualCandidate extends Counterfactual {
  /** the change in words, without its decision */
  readonly change: string
  /** moves made before the event */
  readonly done?: readonly PlannedMove[]
  readonly caller?: Caller
  /** the changed call */
  readonly event?: Event
}

/** A move that brings a gate to a state. */
export interface PlannedMove {
  readonly gate: Gate
  readonly to: GateState
  readonly move: CandidateMove
}

/** Follows a step that a person must confirm. */
export const ASK_NOTE = ' (a person is asked first)'

/** Writes `deny`, `ask` and `error` in capitals, as all of our output does. */
export const emphasizeDecision = (decision: string): string =>
  decision === 'deny' || decision === 'ask' || decision === 'error' ? decision.toUpperCase() : decision

export const describeDecision = (decision: Decision): string =>
  decision === 'pass' ? 'this passes' : `this is ${emphasizeDecision(decision)}`
