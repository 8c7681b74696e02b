import type { JsonObject } from '../../lib/json.ts'

export const DECISIONS = ['pass', 'allow', 'ask', 'deny'] as const // least to most strict
export type Decision = (typeof DECISIONS)[number]

const rank = (decision: Decision): number => DECISIONS.indexOf(decision)

export const strictestDecision = (a: Decision, b: Decision): Decision => (rank(a) >= rank(b) ? a : b)

/** What one gate or sub-hook decides about one event. The type requires a reason for every decision but `pass`. */
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

/** The merged decision about one event, before a client encodes it as a reply. */
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
  /** the call's whole input as a sub-hook rewrote it */
  readonly input?: JsonObject
}
