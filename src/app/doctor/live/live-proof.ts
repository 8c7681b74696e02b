import type { DoctorFinding } from '../finding.ts'

/** Result of a canary: through a registered command, or with the agent itself. */
export interface LiveProof {
  readonly kind: 'command' | 'agent'
  readonly client: string
  readonly title: string
  /** version of the agent */
  readonly version?: string | undefined
  readonly file?: string
  readonly line?: number
  readonly ms: number
  /** time of the repeated call, if a daemon answered it */
  readonly daemonMs?: number
  /** `unverified`: no result */
  readonly verdict: 'denied' | 'not-denied' | 'unverified'
  readonly finding?: DoctorFinding
  /** why there is no result, or what the agent prints about its settings */
  readonly why?: string
}
