import type { Condition, EvaluationResult } from '../../../engine/index.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { SystemStep } from '../system/step.ts'

/** One step of a counterexample, with the evaluation results of its events. */
export interface CounterexampleStep {
  readonly step: SystemStep
  readonly results: readonly EvaluationResult[]
}

/** A fault that the verification found. */
export interface VerificationFinding {
  /** `deadlock`: a gate that cannot be opened; `cannot-end`: a turn or an agent that cannot end; … */
  readonly kind: 'deadlock' | 'cannot-end' | 'misleading' | 'unreachable' | 'shadowed' | 'no-guidance'
  /** one sentence, lower case */
  readonly what: string
  /** ids of the affected clients; empty: all verified clients */
  readonly clients: readonly string[]
  /** id of the gate it is about */
  readonly gate?: string
  /** ids of further gates that are reported together with it */
  readonly otherGates?: readonly string[]
  /** ids of gates that have to open first */
  readonly waitsFor?: readonly string[]
  /** the counterexample: a shortest path into the state */
  readonly counterexample: readonly CounterexampleStep[]
  /** why there is no way out */
  readonly why: string
  /** the gate can be opened, but the work it refuses is never allowed */
  readonly livelock?: boolean
  /** occurs only before a person has trusted the policy, or only after */
  readonly when?: 'untrusted' | 'trusted'
  /** the trust state in `when` is not the current one */
  readonly inForce?: false
  /** occurs only with concurrent events */
  readonly concurrent?: boolean
  /** the suggestion is allowed, but opens nothing */
  readonly ineffective?: boolean
  /** why it is not certain: a way out may have been missed, or the path may not exist */
  readonly inconclusiveReason?: string
  /** the fixes were not verified, because that would take too long */
  readonly fixUnverified?: boolean
  /** alternative fixes; a fix that begins with `and` belongs to the one before it */
  readonly fix: readonly Fix[]
}

/** What to change, and where. */
export interface Fix {
  /** `file:line`; empty: the file that brings in the gate `of` */
  readonly at: string
  readonly of?: string
  readonly advice: string
  /** the same change as an edit, if it can be expressed: then it is verified before it is reported */
  readonly edit?: PolicyEdit
  /** the exemption it adds to the `unless` of a rule */
  readonly exemption?: ExemptionEdit
}

export interface ExemptionEdit {
  readonly callTexts: readonly string[]
  /** the present `unless` of the rule */
  readonly old: JsonObject | null
  readonly added: readonly JsonObject[]
}

/** The finding has no counterexample: it only reports a scenario that was not explored. */
export const isUnexploredFinding = ({ inconclusiveReason, counterexample }: VerificationFinding): boolean =>
  inconclusiveReason !== undefined && counterexample.length === 0

/** A change to a policy that a fix proposes and that can be verified. */
export type PolicyEdit =
  | { readonly gate: string; readonly rule: string; readonly unless: Condition }
  | { readonly gate: string; readonly rule: string; readonly limit: number }
  | { readonly gate: string; readonly opens: 'human' }
  | { readonly gate: string; readonly acceptsStatus: 'unknown' }
