import type { ImportedHook } from '../../clients/import-hooks.ts'
import type { SettingsEntry, SettingsScope } from '../../clients/settings.ts'
import type { InstalledFileKind } from './manifest.ts'

/** One file as it is and as it will be. */
export interface FileChange {
  readonly file: string
  /** behind links */
  readonly real: string
  /** null: there is none */
  readonly before: Buffer | null
  /** null: it goes */
  readonly after: Buffer | null
  /** instead, where that is a program that does not run there */
  readonly spare?: Buffer | undefined
  /** of a new file; the others keep theirs */
  readonly mode?: number | undefined
  readonly scope: SettingsScope
  readonly kind: InstalledFileKind
  readonly client?: string | undefined
  /** in a few words */
  readonly what: string
  /** hooks of the person's own that go out of it, or (a policy) into it */
  readonly taken?: readonly SettingsEntry[] | undefined
  readonly adopted?: readonly ImportedHook[] | undefined
}

/** A file that is left alone, and why; `place` is `:line:column`. */
export interface FileProblem {
  readonly file: string
  readonly place?: string | undefined
  readonly problem: string
  readonly help?: string | undefined
  readonly client?: string | undefined
}

export const isFileChanged = ({ before, after }: Pick<FileChange, 'before' | 'after'>): boolean =>
  before === null || after === null ? before !== after : !before.equals(after)
