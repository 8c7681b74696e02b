import type { ImportedHook } from '../../clients/import-hooks.ts'
import type { SettingsEntry, SettingsScope } from '../../clients/settings.ts'
import type { InstalledFileKind } from './manifest.ts'

/** One file before and after a change. */
export interface FileChange {
  readonly file: string
  /** path with links resolved */
  readonly real: string
  /** null: the file does not exist */
  readonly before: Buffer | null
  /** null: the file is removed */
  readonly after: Buffer | null
  /** content to write instead, if `after` is a native program that does not run on this machine */
  readonly fallbackBytes?: Buffer | undefined
  /** mode of a new file; existing files keep theirs */
  readonly mode?: number | undefined
  readonly scope: SettingsScope
  readonly kind: InstalledFileKind
  readonly client?: string | undefined
  /** short description */
  readonly what: string
  /** the user's own hooks: `taken` out of this settings file, or `adopted` into this policy */
  readonly taken?: readonly SettingsEntry[] | undefined
  readonly adopted?: readonly ImportedHook[] | undefined
}

/** A file that is not changed, and why; `place` is `:line:column`. */
export interface FileProblem {
  readonly file: string
  readonly place?: string | undefined
  readonly problem: string
  readonly help?: string | undefined
  readonly client?: string | undefined
}

export const isFileChanged = ({ before, after }: Pick<FileChange, 'before' | 'after'>): boolean =>
  before === null || after === null ? before !== after : !before.equals(after)
