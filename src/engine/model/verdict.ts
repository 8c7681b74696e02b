import type { JsonObject } from '../../lib/json.ts'

export const DECISIONS = ['pass', 'allow', 'ask', 'deny'] as const // least to most strict
export type Decision = (typeof DECISIONS)[number]

const rank = (decision: Decision): number => DECISIONS.indexOf(decision)

export const strictestDecision = (a: Decision, b: Decision): Decision => (rank(a) >= rank(b) ? a : b)

/** What one gate (or sub-hook) says of one event. A refusal without a reason does not compile. */
export type Verdict = (
  | { readonly decision: 'pass' }
  | { readonly decision: 'allow' | 'ask' | 'deny'; readonly reason: string }
) & {
  /** for the agent */
  readonly context?: string
  /** for the person */
  readonly message?: string
  readonly continue?: boolean
  readonly suppressOutput?: boolean
}

/** The merged answer to one event, before a client's encoder puts it on the wire. */
export interface Outcome {
  readonly decision: Decision
  /** why, for the agent (deny) or the person (ask); empty with `pass` */
  readonly reason: string
  /** for the agent */
  readonly context: string
  /** for the person */
  readonly message: string
  readonly continue: boolean
  readonly suppressOutput: boolean
  /** the call's input as a sub-hook rewrote it, whole */
  readonly input?: JsonObject
}
