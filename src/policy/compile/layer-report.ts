import type { Layer } from '../../engine/index.ts'
import type { PolicyError } from '../parse/policy-error.ts'

/** The result for one policy file. */
export interface LayerReport {
  readonly layer: Layer
  readonly file: string
  /** `last-good`: broken, an older version is enforced; `denies`: broken, managed, and without an older version */
  readonly state: 'active' | 'last-good' | 'left-out' | 'denies'
  /** packs it uses, with the options it sets */
  readonly packs: readonly {
    readonly id: string
    readonly file: string
    readonly options: Readonly<Record<string, string>>
  }[]
  /** why other users could have written the file: what it runs or loosens has no effect */
  readonly exposed?: string
  /** what the policy runs or loosens takes effect */
  readonly trusted: boolean
  readonly errors: readonly PolicyError[]
  /** what it runs or loosens, one line each, with its location */
  readonly needsTrust: readonly string[]
  /** the entries of `needsTrust` that have no effect: they need trust, or others could have written them */
  readonly untrusted: readonly string[]
  /** the hash that `setTrust` stores */
  readonly trustHash: string
  /** when the enforced version was saved, if it is an older version */
  readonly savedAt?: number
}
