import type { Finding } from '../finding.ts'

/** What a canary came to: through a registered command, or with the agent itself. */
export interface Proof {
  readonly kind: 'command' | 'agent'
  readonly client: string
  readonly title: string
  /** of the agent */
  readonly version?: string | undefined
  readonly file?: string
  readonly line?: number
  readonly ms: number
  /** `unproven`: nothing can be said */
  readonly verdict: 'refused' | 'not-refused' | 'unproven'
  readonly finding?: Finding
  /** why nothing can be said, or what the agent says of its settings */
  readonly why?: string
}
