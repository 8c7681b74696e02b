import type { ImportedHook } from '../../../clients/import-hooks.ts'
import type { Client } from '../../../clients/index.ts'
import type { SettingsEntry, SettingsScope } from '../../../clients/settings.ts'
import type { Policy } from '../../../policy/index.ts'
import type { HookImportOptions } from '../import-hooks/import-plan.ts'
import type { InstalledFileKind } from '../manifest.ts'

export interface InitOptions {
  readonly clients: readonly Client[]
  readonly scope: SettingsScope
  /** timeout of the user's slowest own hook */
  readonly longestHookMs?: number
  /** why the starter policy would not load */
  readonly findPolicyProblem?: (text: string) => string | undefined
  /** the policy in force, which the agents' docs describe */
  readonly policyInForce?: Policy
  /** import the user's own hooks into the policy */
  readonly adopt?: HookImportOptions | undefined
}

/** A file to be written, before its current content is read. */
export interface FileDraft {
  readonly file: string
  readonly kind: InstalledFileKind
  readonly client?: string
  readonly what: string
  readonly mode?: number
  /** scope, if not the requested one */
  readonly scope?: SettingsScope
  /** the new content; null: unchanged. Throws if the file must not be changed. `ours`: the file is as we wrote it */
  nextContent?(text: string | null, ours: boolean): string | null
  /** the new content of a file that is entirely ours; the current content is ignored */
  readonly bytes?: Buffer
  /** remove the file, unless it was changed since `init` */
  readonly isRemoved?: true
  readonly fallbackBytes?: Buffer
  readonly taken?: readonly SettingsEntry[]
  readonly adopted?: readonly ImportedHook[]
}
