import type { Layer, Mode } from '../../../engine/index.ts'
import type { LayerReport, PolicyError } from '../../../policy/index.ts'

export interface PolicyDetail {
  readonly project: string
  readonly hash: string
  /** strongest first */
  readonly layers: readonly PolicyLayer[]
  readonly problems: readonly PolicyError[]
  readonly warnings: readonly PolicyError[]
  /** routes that wait for a program which is not installed */
  readonly inactive: readonly { readonly route: string; readonly command: string }[]
  readonly gates: readonly PolicyGate[]
  readonly hooks: readonly { readonly layer: Layer; readonly run: string; readonly events: readonly string[] }[]
  readonly allow: readonly { readonly layer: Layer; readonly lines: readonly string[] }[]
  readonly lifted: readonly string[]
  readonly proof: VerificationState
  /** the policy could not be loaded at all, and why */
  readonly problem?: string
}

export interface PolicyLayer extends Omit<LayerReport, 'trustHash'> {
  /** its text as it is now, for the playground; absent for what is built in, and where it is too long */
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

/** The proof that no agent gets stuck. It runs in a process of its own, with the least priority. */
export type VerificationState =
  /** nobody has asked yet: `GET /api/proof` does */
  | { readonly state: 'unknown' }
  | { readonly state: 'running'; readonly sinceMs: number }
  | { readonly state: 'failed'; readonly error: string }
  | {
      readonly state: 'done'
      /** every way was followed to its end */
      readonly complete: boolean
      /** found earlier, and kept in short: to be made again for the whole story */
      readonly isShort?: boolean
      readonly states?: number
      readonly tookMs?: number
      readonly notes: readonly string[]
      readonly findings: readonly PolicyFinding[]
    }

export interface PolicyFinding {
  readonly kind: 'deadlock' | 'held' | 'suggestion' | 'unreachable' | 'shadowed' | 'silent'
  readonly what: string
  readonly why?: string
  /** it may not be so, and this is why: nobody knows */
  readonly doubt?: string
  readonly on?: readonly string[]
  readonly gate?: string
  /** the story in one line, where that is all that was kept */
  readonly how?: string
  readonly story?: readonly { readonly does: string; readonly said: string }[]
  readonly fix?: readonly { readonly at: string; readonly advice: string }[]
}
