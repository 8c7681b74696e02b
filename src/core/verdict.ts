import type { Decision } from './decision.ts'

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
}

export const NO_OPINION: Outcome = {
  decision: 'pass',
  reason: '',
  context: '',
  message: '',
  continue: true,
  suppressOutput: false,
}
