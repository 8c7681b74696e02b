import type { Result } from '../core/index.ts'
import type { Step } from './step.ts'

/** One line of a story: what happened, and what the policy said and did. */
export interface StoryLine {
  readonly step: Step
  readonly results: readonly Result[]
}

/** Something the proof does not let pass. */
export interface Finding {
  /** `deadlock`: a gate that cannot be opened; `held`: a turn or an agent that cannot end; … */
  readonly kind: 'deadlock' | 'held' | 'suggestion' | 'unreachable' | 'shadowed' | 'silent'
  /** one sentence, lower case */
  readonly what: string
  /** ids of the clients it happens on; empty: on all that were looked at */
  readonly on: readonly string[]
  /** id of the gate it is about */
  readonly gate?: string
  /** the shortest way there */
  readonly story: readonly StoryLine[]
  /** why there is no way on */
  readonly why: string
  /** only several things at once bring it about */
  readonly atOnce?: boolean
  /** why it is not certain: there may be a way that was not found, or this one may not exist */
  readonly doubt?: string
  /** `file:line` and what to change there */
  readonly fix: readonly { readonly at: string; readonly advice: string }[]
}
