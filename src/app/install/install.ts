import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { clientSettingsById, type SettingsEntry } from '../../clients/settings.ts'
import { removeSection } from './agent-docs/docs-section.ts'
import { applyChanges, ChangesNotApplied } from './apply-changes.ts'
import type { FileChange } from './file-change.ts'
import { removeHooksFromPolicy } from './import-hooks/policy-hooks.ts'
import type { InstallPaths } from './install-paths.ts'
import { type InstallManifest, type ManifestEntry, manifestEntryFor, readManifest, writeManifest } from './manifest.ts'
import type { InstallPlan } from './plan.ts'
import { findNativeHookProblem, toScriptLauncher } from './program/launchers.ts'
import { installProgramCopy, type ProgramCopy, removeOldCopies } from './program/program-copy.ts'
import { appendItem, nodeAt } from './settings-file/edit-jsonc.ts'
import { canonicalPath, errorCodeOf, missingParents, removeStaleDrafts } from './settings-file/file-snapshot.ts'
import { removeHookEntries } from './settings-file/hook-entries.ts'
import { nodeValue, parseJsonc } from './settings-file/jsonc.ts'

/**
 * Applies the whole plan or nothing. The manifest records the original files and the copy's folder before anything is
 * changed, so an interrupted run can be undone. Returns why the native hook was not used after all.
 */
export function applyInstallPlan({ changes, copy }: InstallPlan, paths: InstallPaths): string | undefined {
  const before = readManifest(paths.state)
  removeLeftoverDrafts(before, paths.state)
  const after = updateManifest(before, changes, copy?.data, paths.version)
  writeManifest(paths.state, after)
  let undoCopy = () => {}
  let why: string | undefined
  try {
    if (copy) undoCopy = installCopyOrThrow(copy)
    why = findNativeHookProblem(changes, copy, paths.version)
    applyChanges(why === undefined ? changes : changes.map(toScriptLauncher))
  } catch (error) {
    undoCopy()
    writeManifest(paths.state, before)
    throw error
  }
  if (copy && !copy.isThere) removeOldCopies(copy.data, [copy.name, copy.before])
  return why
}

/** Removes draft files of interrupted runs. */
export function removeLeftoverDrafts({ files, copies }: InstallManifest, state: string): void {
  const folders = files.map(({ file }) => dirname(canonicalPath(file)))
  for (const folder of new Set([state, ...copies, ...folders])) removeStaleDrafts(folder)
}

function installCopyOrThrow(copy: ProgramCopy): () => void {
  try {
    return installProgramCopy(copy)
  } catch (error) {
    throw new ChangesNotApplied(`${copy.data} cannot be written (${errorCodeOf(error)}), so nothing was changed`)
  }
}

function updateManifest(
  before: InstallManifest,
  changes: readonly FileChange[],
  data: string | undefined,
  version: string,
): InstallManifest {
  const earlier = changes.map(change => manifestEntryFor(change.file, before))
  const entries = changes.map((change, nth) => toManifestEntry(change, earlier[nth]))
  return {
    ...before,
    version,
    files: [...before.files.filter(file => !earlier.includes(file)), ...entries],
    copies: [...new Set([...before.copies, ...(data ? [data] : [])])],
  }
}

/** The manifest entry for a change. If the file is as we wrote it, the recorded original stays; otherwise see `originalBytesOf`. */
function toManifestEntry(change: FileChange, earlier: ManifestEntry | undefined): ManifestEntry {
  const { file, real, after, scope, kind, client } = change
  const taken = [...(earlier?.taken ?? []), ...(change.taken ?? [])]
  const adopted = [...(earlier?.adopted ?? []), ...(change.adopted ?? [])]
  const mode = statSync(real, { throwIfNoEntry: false })?.mode
  const base = {
    file,
    scope,
    kind,
    ...(client && { client }),
    ...(mode !== undefined && { mode: mode & 0o7777 }),
    at: Date.now(),
    ...(taken.length > 0 && { taken }),
    ...(adopted.length > 0 && { adopted }),
  }
  // users do not edit launchers, so `uninstall` removes one whatever its content is
  const wrote = (change.fallbackBytes ? Buffer.alloc(0) : (after ?? Buffer.alloc(0))).toString('base64')
  const folders = [...(earlier?.folders ?? []), ...missingParents(real)]
  return { ...base, original: originalBytesOf(change, earlier), wrote, folders: [...new Set(folders)] }
}

function originalBytesOf({ before, kind, scope }: FileChange, earlier: ManifestEntry | undefined): string | null {
  // launchers outside a project are written only by us, so there is no original
  if (before === null || (kind === 'launcher' && scope !== 'project')) return null
  const now = before.toString('base64')
  if (!earlier) return now
  if (isCreatedByInit(earlier)) return null
  // a command file that was edited is not overwritten, so this one was not edited
  if (kind === 'command') return earlier.original
  // an interrupted run has recorded the change without writing it
  if (now === earlier.wrote || now === earlier.original) return earlier.original
  return Buffer.from(removeOwnParts(before.toString('utf8'), earlier)).toString('base64')
}

/** A launcher or plugin that `init` created. User edits to it do not turn it into the user's file. */
export const isCreatedByInit = ({ kind, original }: Pick<ManifestEntry, 'kind' | 'original'>): boolean =>
  original === null && (kind === 'launcher' || kind === 'plugin')

/** The text without our parts; unchanged if our parts cannot be identified. */
export function removeOwnParts(
  text: string,
  entry: Pick<ManifestEntry, 'kind' | 'client' | 'taken' | 'adopted'>,
): string {
  const { kind, client = '', taken = [], adopted = [] } = entry
  if (kind === 'section') return removeSection(text)
  if (kind === 'policy') return removeHooksFromPolicy(text, adopted)
  const how = clientSettingsById(client)
  if (kind !== 'hooks' || how?.hook.kind !== 'settings') return text
  const paths = how.hook.entries({ line: '', words: [], timeoutMs: 0 }).map(({ path }) => path)
  return taken.reduce(restoreEntry, removeHookEntries(text, client, paths))
}

/** Puts a removed hook back as often as it was removed, unless it is there again. */
function restoreEntry(text: string, { path, item }: SettingsEntry, at: number, all: readonly SettingsEntry[]): string {
  const itemKey = JSON.stringify([path, item])
  const wanted = all
    .slice(0, at + 1)
    .filter(settingsEntry => JSON.stringify([settingsEntry.path, settingsEntry.item]) === itemKey).length
  const list = text.trim() === '' ? undefined : nodeAt(parseJsonc(text), path)
  const there =
    list?.kind === 'list' ? list.items.filter(node => JSON.stringify([path, nodeValue(node)]) === itemKey) : []
  return there.length >= wanted ? text : appendItem(text, path, item)
}
