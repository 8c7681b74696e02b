import type { Layer, Mode } from '../../../engine/index.ts'
import type { LayerReport, PolicyError } from '../../../policy/index.ts'

export interface PolicyDetail {
  readonly project: string
  readonly hash: string
  /** highest priority first */
  readonly layers: readonly PolicyLayer[]
  readonly problems: readonly PolicyError[]
  readonly warnings: readonly PolicyError[]
  /** routes that need a program which is not installed */
  readonly inactive: readonly { readonly route: string; readonly command: string }[]
  readonly gates: readonly PolicyGate[]
  readonly hooks: readonly { readonly layer: Layer; readonly run: string; readonly events: readonly string[] }[]
  readonly allow: readonly { readonly layer: Layer; readonly lines: readonly string[] }[]
  readonly bypasses: readonly string[]
  readonly proof: VerificationState
  /** why the policy could not be loaded at all */
  readonly problem?: string
}

export interface PolicyLayer extends Omit<LayerReport, 'trustHash'> {
  /** the current text, for the playground; absent for built-in layers and long files */
  readonly text?: string
}

export interface PolicyGate {
  readonly id: string
  readonly name: string
  readonly layer: Layer
  readonly mode: Exclude<Mode, 'off'>
  readonly at?: string
  readonly rules: number
  readonly routes: number
}

/** The proof that no agent can get stuck. It runs in its own process, at the lowest priority. */
export type VerificationState =
  /** not requested yet: `GET /api/proof` starts it */
  | { readonly state: 'unknown' }
  | { readonly state: 'running'; readonly sinceMs: number }
  | { readonly state: 'failed'; readonly error: string }
  | {
      readonly state: 'done'
      /** every path was explored to its end */
      readonly complete: boolean
      /** a stored short form of an earlier proof; run the proof again for the full counterexample */
      readonly isShort?: boolean
      readonly states?: number
      readonly tookMs?: number
      readonly notes: readonly string[]
      readonly findings: readonly PolicyFinding[]
    }

export interface PolicyFinding {
  readonly kind: 'deadlock' | 'cannot-end' | 'misleading' | 'unreachable' | 'shadowed' | 'no-guidance'
  readonly what: string
  readonly why?: string
  /** why the finding is uncertain */
  readonly inconclusiveReason?: string
  readonly clients?: readonly string[]
  readonly gate?: string
  /** the counterexample in one line, if only that was stored */
  readonly how?: string
  readonly counterexample?: readonly { readonly step: string; readonly result: string }[]
  readonly fix?: readonly { readonly at: string; readonly advice: string }[]
}
