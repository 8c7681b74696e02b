import type { DoctorFinding } from '../finding.ts'

/** What a canary came to: through a registered command, or with the agent itself. */
export interface LiveProof {
  readonly kind: 'command' | 'agent'
  readonly client: string
  readonly title: string
  /** of the agent */
  readonly version?: string | undefined
  readonly file?: string
  readonly line?: number
  readonly ms: number
  /** the same call again, where a daemon answered it */
  readonly daemonMs?: number
  /** `unproven`: nothing can be said */
  readonly verdict: 'refused' | 'not-refused' | 'unproven'
  readonly finding?: DoctorFinding
  /** why nothing can be said, or what the agent says of its settings */
  readonly why?: string
}
