import type { EvaluationResult } from '../../../engine/index.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { PolicyEdit } from '../fixes/policy-edit.ts'
import type { SystemStep } from '../system/step.ts'

/** One line of a story: what happened, and what the policy said and did. */
export interface CounterexampleStep {
  readonly step: SystemStep
  readonly results: readonly EvaluationResult[]
}

/** Something the proof does not let pass. */
export interface VerificationFinding {
  /** `deadlock`: a gate that cannot be opened; `held`: a turn or an agent that cannot end; … */
  readonly kind: 'deadlock' | 'held' | 'suggestion' | 'unreachable' | 'shadowed' | 'silent'
  /** one sentence, lower case */
  readonly what: string
  /** ids of the clients it happens on; empty: on all that were looked at */
  readonly on: readonly string[]
  /** id of the gate it is about */
  readonly gate?: string
  /** and of those that are told of together with it */
  readonly others?: readonly string[]
  /** ids of gates that have to open before it can */
  readonly needs?: readonly string[]
  /** the shortest way there */
  readonly story: readonly CounterexampleStep[]
  /** why there is no way on */
  readonly why: string
  /** the gate can be opened, and what it refuses is never let through all the same */
  readonly livelock?: boolean
  /** only before a person has trusted the policy, or only after it */
  readonly when?: 'untrusted' | 'trusted'
  /** … and that is not so here, now */
  readonly inForce?: false
  /** only several things at once bring it about */
  readonly atOnce?: boolean
  /** what is suggested is let through, and opens nothing */
  readonly vain?: boolean
  /** why it is not certain: there may be a way that was not found, or this one may not exist */
  readonly doubt?: string
  /** what is advised was not tried: it would have taken too long */
  readonly untried?: boolean
  /** each of them mends it */
  readonly fix: readonly Fix[]
}

/** What to change, and where. */
export interface Fix {
  /** `file:line`; empty: the file is the one that brings the gate `of` */
  readonly at: string
  readonly of?: string
  readonly advice: string
  /** the same for the engine, where it can be told: then it is tried before it is told */
  readonly mend?: PolicyEdit
  /** what it lets pass by the `unless` of a rule */
  readonly passes?: ExemptionEdit
}

export interface ExemptionEdit {
  readonly words: readonly string[]
  /** what stands there already */
  readonly old: JsonObject | null
  readonly added: readonly JsonObject[]
}
