import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportedHook } from '../../clients/import-hooks.ts'
import type { SettingsEntry, SettingsScope } from '../../clients/settings.ts'
import { isObject } from '../../lib/json.ts'
import { writeFileAtomically } from '../../policy/index.ts'
import { canonicalPath } from './settings-file/file-snapshot.ts'

export type InstalledFileKind = 'hooks' | 'plugin' | 'policy' | 'agent' | 'command' | 'section' | 'launcher'

/** What `init` did to one file, and what the file was before. */
export interface ManifestEntry {
  readonly file: string
  readonly scope: SettingsScope
  readonly kind: InstalledFileKind
  /** the client whose hook it registers */
  readonly client?: string
  /** content before `init`; null: the file did not exist. Base64, so that any bytes survive */
  readonly original: string | null
  readonly wrote: string
  readonly mode?: number
  /** folders that were created for the file, outermost first */
  readonly folders: readonly string[]
  /** time of the last write */
  readonly at?: number
  /** the user's own hooks that were removed from this file */
  readonly taken?: readonly SettingsEntry[]
  /** the user's own hooks that were added to this file (a policy) */
  readonly adopted?: readonly ImportedHook[]
}

export interface InstallManifest {
  readonly version: string
  readonly files: readonly ManifestEntry[]
  /** folders that contain a copy of the program */
  readonly copies: readonly string[]
  /** folders created for files that are gone, which were not empty at the time */
  readonly folders?: readonly string[]
}

const EMPTY_MANIFEST: InstallManifest = { version: '', files: [], copies: [] }

export const manifestPath = (state: string): string => join(state, 'install.json')

/** Throws if the manifest exists but cannot be read: going on would lose the original files. */
export function readManifest(state: string): InstallManifest {
  const file = manifestPath(state)
  if (!existsSync(file)) return EMPTY_MANIFEST
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isManifest(value)) return value
  } catch {}
  throw new Error(`${file} cannot be read. It contains your files as they were before \`init\`. Fix it or move it away`)
}

/** Readable only by this user: settings may contain secrets. */
export function writeManifest(state: string, manifest: InstallManifest): void {
  const file = manifestPath(state)
  if (manifest.files.length === 0 && manifest.copies.length === 0) rmSync(file, { force: true })
  else if (!writeFileAtomically(file, `${JSON.stringify(manifest, null, 2)}\n`))
    throw new Error(`${file} cannot be written`)
}

/** The manifest entry of a file, by any of its paths. */
export function manifestEntryFor(file: string, { files }: Pick<InstallManifest, 'files'>): ManifestEntry | undefined {
  const key = canonicalPath(file)
  return files.find(manifestEntry => manifestEntry.file === file || canonicalPath(manifestEntry.file) === key)
}

export const decodeBase64 = (text: string): Buffer => Buffer.from(text, 'base64')

const isManifest = (value: unknown): value is InstallManifest =>
  isObject(value) &&
  Array.isArray(value.copies) &&
  Array.isArray(value.files) &&
  value.files.every(file => isObject(file) && typeof file.file === 'string' && typeof file.wrote === 'string')
