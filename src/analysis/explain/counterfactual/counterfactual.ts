import type { Caller, Decision, EvaluationInput, Event, Gate, GateState, TextPattern } from '../../../engine/index.ts'

/** Something that can be done to move a gate. What it is made of is known to whoever plays it. */
export interface CandidateMove {
  /** id of the transition it is made for */
  readonly transition: string
  /** the line to type, where that is not the one the transition names */
  readonly line?: string
  /** what is done, where the transition's condition names more than was played */
  readonly says?: string
  /** `an agent`, where neither the main agent nor whoever is asked about does it */
  readonly by?: string
}

/** What is asked once all of it was done; or which of it was refused, and by which gate. */
export type MoveSequenceResult =
  | {
      readonly input: EvaluationInput /** which of the ways a person is asked about, by index */
      readonly asks?: readonly number[]
    }
  | { readonly at: number; readonly by: string | undefined }

/** What flipping takes beside evaluating: that things are done first, by the same engine. */
export interface CounterfactualTools {
  /** the event with another shell line in it; absent where the call is not a shell line */
  readonly retyped?: (line: string) => Event | undefined
  /** a text that the pattern matches */
  readonly textLike?: (pattern: TextPattern) => string | undefined
  /** what could be done to bring the gate there; that it does so is not certain */
  ways(gate: Gate, to: GateState): readonly CandidateMove[]
  /** one after the other, from where the event came */
  play(ways: readonly CandidateMove[]): MoveSequenceResult
  /** the same event of this caller, whom somebody had to spawn; undefined where that is refused */
  as(caller: Caller, from: EvaluationInput): EvaluationInput | undefined
}

/** Something that would have led to another decision, tried out: the decision is what `evaluate` says then. */
export interface Counterfactual {
  readonly by: 'state' | 'caller' | 'command'
  readonly decision: Decision
  readonly says: string
}

/** The change, and what becomes of it. */
export const describeCounterfactual = (change: string, decision: Decision): string =>
  `${change}: then ${describeDecision(decision)}`

/** A flip, and how to bring it about together with others. */
export interface CounterfactualCandidate extends Counterfactual {
  /** the change alone */
  readonly change: string
  /** what is done first */
  readonly done?: readonly PlannedMove[]
  readonly caller?: Caller
  /** the changed call */
  readonly event?: Event
}

/** A gate is brought to a state. */
export interface PlannedMove {
  readonly gate: Gate
  readonly to: GateState
  readonly way: CandidateMove
}

/** `deny` shouts, as everywhere. */
export const emphasizeDecision = (decision: string): string =>
  decision === 'deny' || decision === 'ask' || decision === 'error' ? decision.toUpperCase() : decision

export const describeDecision = (decision: Decision): string =>
  decision === 'pass' ? 'this passes' : `this is ${emphasizeDecision(decision)}`
