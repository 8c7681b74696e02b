import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SettingsScope } from '../../clients/settings.ts'
import { launcherIn } from '../../hook/index.ts'
import { stateFolderRegistryPath } from '../../store/index.ts'
import { applyChanges } from './apply-changes.ts'
import { type FileChange, type FileProblem, isFileChanged } from './file-change.ts'
import { isCreatedByInit, removeLeftoverDrafts, removeOwnParts } from './install.ts'
import { type InstallPaths, sharedDataFolder } from './install-paths.ts'
import { decodeBase64, type InstallManifest, type ManifestEntry, readManifest, writeManifest } from './manifest.ts'
import { listProgramCopies } from './program/program-copy.ts'
import { entriesInHookedProjects, referencesTo } from './references.ts'
import { UnfitFileError } from './settings-file/edit-jsonc.ts'
import {
  decodeUtf8,
  isReadOnlyFile,
  readSnapshot,
  removeStaleDrafts,
  rmdirIfEmpty,
} from './settings-file/file-snapshot.ts'
import { describeFileError } from './settings-file/registrations.ts'
import { findOrphanedLaunchers, findUntrackedHooks, type UntrackedHook } from './untracked-hooks.ts'

export interface UninstallPlan {
  readonly changes: readonly FileChange[]
  readonly problems: readonly FileProblem[]
  /** files of ours that were edited since, and therefore stay */
  readonly left: readonly string[]
  /** manifest entries to remove */
  readonly done: readonly ManifestEntry[]
  /** copies of the program that are no longer needed */
  readonly copies: readonly string[]
  /** files that still call the program, so its launchers stay */
  readonly needing: readonly string[]
  /** files that lose our hook but have no recorded original */
  readonly unrecorded: readonly string[]
  /** entries written in a removed scope that belong to a project whose hook stays */
  readonly passed: readonly ManifestEntry[]
}

/**
 * Plans to restore everything that `init` wrote in these scopes. In a file that was changed since, only our parts are removed. In the
 * scopes `unknown`, hooks of ours without a manifest entry are removed too. What a staying hook needs stays.
 */
export function planUninstall(
  paths: InstallPaths,
  manifest: InstallManifest,
  scopes: readonly SettingsScope[],
  unknown: readonly SettingsScope[] = scopes,
): UninstallPlan {
  const passed = scopes.includes('project') ? [] : entriesInHookedProjects(manifest)
  const named = manifest.files.filter(file => scopes.includes(file.scope) && !passed.includes(file))
  const mine = [...named, ...unusedLaunchers(manifest.files, named)]
  const stray = findUntrackedHooks(paths, manifest, unknown)
  const tried = mine.map(restoreFile)
  const withdrawn = stray.map(removeUntrackedHook)
  const failed = tried.flatMap(({ entry, problem }) => (entry && problem ? [entry] : []))
  const staying = [...manifest.files.filter(file => !mine.includes(file)), ...failed]
  const unwritten = stray.filter((_, nth) => withdrawn[nth]?.problem)
  const needing = (manifestEntry: Pick<ManifestEntry, 'scope' | 'file'>) =>
    referencesTo(manifestEntry, staying, unwritten)
  const results = [
    ...tried.filter(({ entry }) => entry?.kind !== 'launcher' || needing(entry).length === 0),
    ...withdrawn,
    ...(unwritten.length > 0 ? [] : findOrphanedLaunchers(stray, manifest, paths).map(change => ({ change }))),
  ]
  const changes = results.flatMap(({ change }) => (change && isFileChanged(change) ? [change] : []))
  const launchers = manifest.files.filter(file => mine.includes(file) && file.kind === 'launcher')
  const needs = (data: string) =>
    referencesTo({ scope: data === sharedDataFolder(paths) ? 'managed' : 'user', file: data }, staying, unwritten)
  return {
    changes,
    problems: results.flatMap(result => ('problem' in result ? (result.problem ?? []) : [])),
    left: results.flatMap(result => ('left' in result ? (result.left ?? []) : [])),
    done: results.flatMap(result => ('entry' in result && result.entry && !result.problem ? [result.entry] : [])),
    copies: [
      ...manifest.copies.filter(data => needs(data).length === 0),
      ...orphanedDataFolders(changes, stray, manifest),
    ],
    needing: [...new Set(launchers.flatMap(needing))],
    unrecorded: stray.map(({ file }) => file),
    passed,
  }
}

/** Program folders that only untracked hooks name. The shim in `~/.local/bin` is removed too, but is in no such folder. */
const orphanedDataFolders = (
  changes: readonly FileChange[],
  stray: readonly UntrackedHook[],
  { files }: InstallManifest,
): readonly string[] =>
  changes.flatMap(({ file, kind }) => {
    const data = join(file, '..', '..')
    const isNamed = stray.some(({ programs }) => programs.includes(file))
    const isOrphan = kind === 'launcher' && isNamed && !files.some(manifestEntry => manifestEntry.file === file)
    return isOrphan && file === launcherIn(data) ? [data] : []
  })

/** Launchers of the user's program that no staying hook needs: a project's `init` may have installed them. */
function unusedLaunchers(all: readonly ManifestEntry[], going: readonly ManifestEntry[]): readonly ManifestEntry[] {
  const staying = all.filter(manifestEntry => !going.includes(manifestEntry))
  if (going.length === 0) return []
  return staying.filter(
    manifestEntry =>
      manifestEntry.kind === 'launcher' &&
      manifestEntry.scope === 'user' &&
      referencesTo(manifestEntry, staying, []).length === 0,
  )
}

interface RestoreResult {
  readonly entry?: ManifestEntry
  readonly change?: FileChange
  readonly problem?: FileProblem
  readonly left?: string
}

function restoreFile(entry: ManifestEntry): RestoreResult {
  const { file, scope, kind, client } = entry
  try {
    const found = readSnapshot(file)
    const original = entry.original === null ? null : decodeBase64(entry.original)
    const base = { file, real: found.real, before: found.bytes, scope, kind, client }
    if (found.bytes === null) return { entry }
    if (found.bytes.equals(decodeBase64(entry.wrote)) || isCreatedByInit(entry)) {
      const what = original === null ? 'removed: init created it' : 'restored'
      return { entry, change: assertWritable({ ...base, after: original, what }, found) }
    }
    if (original && found.bytes.equals(original)) return { entry }
    const rest = removeOwnParts(decodeUtf8(found.bytes), entry)
    const after = original === null && isEmptySettings(rest) ? null : Buffer.from(rest)
    if (after?.equals(found.bytes))
      return kind === 'hooks' || kind === 'section' ? { entry } : { entry: entry, left: file }
    return {
      entry,
      change: assertWritable({ ...base, after, what: 'you changed it: only our lines are removed' }, found),
    }
  } catch (error) {
    return { entry, problem: { file, client, ...describeFileError(error, file) } }
  }
}

function assertWritable(change: FileChange, found: { readonly mode: number | undefined }): FileChange {
  if (isFileChanged(change) && isReadOnlyFile(found)) throw new UnfitFileError('is read-only')
  return change
}

/** Only what `init` writes into a new settings file. */
const isEmptySettings = (text: string): boolean => /^\s*(\{\s*("version":\s*1\s*)?\})?\s*$/.test(text)

function removeUntrackedHook({ client, scope, file }: UntrackedHook): RestoreResult {
  try {
    const found = readSnapshot(file)
    const text = found.bytes ? decodeUtf8(found.bytes) : ''
    const rest = removeOwnParts(text, { kind: 'hooks', client: client.id })
    // a plugin file is entirely ours
    const after = rest === text ? null : Buffer.from(rest)
    const base = { file, real: found.real, before: found.bytes, scope, kind: 'hooks', client: client.id } as const
    return { change: assertWritable({ ...base, after, what: 'the hook is removed' }, found) }
  } catch (error) {
    return { problem: { file, client: client.id, ...describeFileError(error, file) } }
  }
}

/** Applies all changes or none, then removes the folders that were created, if they are empty. */
export function applyUninstallPlan({ changes, done, copies, passed }: UninstallPlan, paths: InstallPaths): void {
  const manifest = readManifest(paths.state)
  // launchers last: a hook called meanwhile still finds the program
  applyChanges([
    ...changes.filter(change => change.kind !== 'launcher'),
    ...changes.filter(change => change.kind === 'launcher'),
  ])
  removeLeftoverDrafts(manifest, paths.state)
  for (const data of copies) removeCopies(data)
  if (manifest.files.length === done.length && listProgramCopies(paths.data).length === 0)
    removeStateRegistry(paths.data)
  const made = new Set([...done.flatMap(manifestEntry => manifestEntry.folders), ...(manifest.folders ?? [])])
  for (const folder of [...made].sort((a, b) => b.length - a.length)) rmdirIfEmpty(folder)
  const files = manifest.files.filter(manifestEntry => !done.some(({ file }) => file === manifestEntry.file))
  const rest = {
    ...manifest,
    // these entries are removed together with the project's hook later
    files: files.map(manifestEntry =>
      passed.some(({ file }) => file === manifestEntry.file)
        ? { ...manifestEntry, scope: 'project' as const }
        : manifestEntry,
    ),
    copies: manifest.copies.filter(data => !copies.includes(data)),
  }
  const { folders: _, ...plain } = rest
  const folders = [...made].filter(folder => existsSync(folder))
  writeManifest(paths.state, folders.length > 0 ? { ...plain, folders } : plain)
}

function removeCopies(data: string): void {
  if (!existsSync(data)) return
  rmSync(join(data, 'current'), { force: true })
  for (const name of listProgramCopies(data)) rmSync(join(data, name), { recursive: true, force: true })
  removeStaleDrafts(data)
  rmdirIfEmpty(join(launcherIn(data), '..'))
  removeStateRegistry(data)
}

/** Removes the store's list of state folders. The hook creates it, also where the program is installed for the whole machine. */
function removeStateRegistry(data: string): void {
  rmSync(stateFolderRegistryPath(data), { force: true })
  rmdirIfEmpty(data)
  rmdirIfEmpty(dirname(data))
}
