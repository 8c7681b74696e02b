import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportedHook } from '../../clients/import-hooks.ts'
import type { SettingsEntry, SettingsScope } from '../../clients/settings.ts'
import { isObject } from '../../lib/json.ts'
import { writeFileAtomically } from '../../policy/index.ts'
import { canonicalPath } from './settings-file/file-snapshot.ts'

export type InstalledFileKind = 'hooks' | 'plugin' | 'policy' | 'agent' | 'command' | 'section' | 'launcher'

/** What `init` did to one file, and what it was before. */
export interface ManifestEntry {
  readonly file: string
  readonly scope: SettingsScope
  readonly kind: InstalledFileKind
  /** whose hook it registers */
  readonly client?: string
  /** null: there was none. Base64: a byte is a byte */
  readonly original: string | null
  readonly wrote: string
  readonly mode?: number
  /** folders that were made for it, the outermost first */
  readonly folders: readonly string[]
  /** when it was written last */
  readonly at?: number
  /** hooks of the person's own that were taken out of it */
  readonly taken?: readonly SettingsEntry[]
  /** and those that were put into it, a policy */
  readonly adopted?: readonly ImportedHook[]
}

export interface InstallManifest {
  readonly version: string
  readonly files: readonly ManifestEntry[]
  /** folders a copy of the program was put into */
  readonly copies: readonly string[]
  /** folders that were made for files which are gone, and that others were still in */
  readonly folders?: readonly string[]
}

const EMPTY_MANIFEST: InstallManifest = { version: '', files: [], copies: [] }

export const manifestPath = (state: string): string => join(state, 'install.json')

/** Throws where there is one that cannot be read: who goes on then forgets what was there before. */
export function readManifest(state: string): InstallManifest {
  const file = manifestPath(state)
  if (!existsSync(file)) return EMPTY_MANIFEST
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isManifest(value)) return value
  } catch {}
  throw new Error(`${file} cannot be read, and only it knows what was there before \`init\`; mend it or move it away`)
}

/** For this person only: settings may hold secrets. */
export function writeManifest(state: string, manifest: InstallManifest): void {
  const file = manifestPath(state)
  if (manifest.files.length === 0 && manifest.copies.length === 0) rmSync(file, { force: true })
  else if (!writeFileAtomically(file, `${JSON.stringify(manifest, null, 2)}\n`))
    throw new Error(`${file} cannot be written`)
}

/** What is on record of a file, by whichever of its names it was written. */
export function manifestEntryFor(file: string, { files }: Pick<InstallManifest, 'files'>): ManifestEntry | undefined {
  const key = canonicalPath(file)
  return files.find(one => one.file === file || canonicalPath(one.file) === key)
}

export const decodeBase64 = (text: string): Buffer => Buffer.from(text, 'base64')

const isManifest = (value: unknown): value is InstallManifest =>
  isObject(value) &&
  Array.isArray(value.copies) &&
  Array.isArray(value.files) &&
  value.files.every(one => isObject(one) && typeof one.file === 'string' && typeof one.wrote === 'string')
