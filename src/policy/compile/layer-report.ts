import type { Layer } from '../../engine/index.ts'
import type { PolicyError } from '../parse/policy-error.ts'

/** How one policy file fares. */
export interface LayerReport {
  readonly layer: Layer
  readonly file: string
  /** `last-good`: it is broken and an older version is enforced; `denies`: broken, managed, and there is no older one */
  readonly state: 'active' | 'last-good' | 'left-out' | 'denies'
  /** packs it uses, with what it sets of their options */
  readonly packs: readonly {
    readonly id: string
    readonly file: string
    readonly set: Readonly<Record<string, string>>
  }[]
  /** what it runs or loosens takes effect */
  readonly trusted: boolean
  readonly errors: readonly PolicyError[]
  /** what it runs or loosens, one line each, with its place */
  readonly covers: readonly string[]
  /** those of them that wait for trust */
  readonly inert: readonly string[]
  /** what `setTrust` is to remember for it */
  readonly trustHash: string
  /** of the version enforced, when that is an older one */
  readonly savedAt?: number
}
