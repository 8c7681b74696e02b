import { applyChanges } from './apply-changes.ts'
import type { FileChange } from './file-change.ts'
import { type InstallManifest, manifestEntryFor, readManifest, writeManifest } from './manifest.ts'
import { rmdirIfEmpty } from './settings-file/file-snapshot.ts'

/**
 * Restores the files and their manifest entries to the state before this `init`. A hook that does not work must not stay registered: it
 * would look like protection.
 */
export function revertChanges(changes: readonly FileChange[], before: InstallManifest, state: string): void {
  applyChanges(changes.map(change => ({ ...change, before: change.after, after: change.before })))
  const now = readManifest(state)
  const ours = changes.flatMap(({ file }) => manifestEntryFor(file, now) ?? [])
  const earlier = changes.flatMap(({ file }) => manifestEntryFor(file, before) ?? [])
  writeManifest(state, { ...now, files: [...now.files.filter(file => !ours.includes(file)), ...earlier] })
  const made = ours.flatMap(({ folders }) => folders).sort((a, b) => b.length - a.length)
  for (const folder of made) rmdirIfEmpty(folder)
}
