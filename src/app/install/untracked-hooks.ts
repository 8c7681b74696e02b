import { join } from 'node:path'
import { type Client, clients } from '../../clients/index.ts'
import type { SettingsScope } from '../../clients/settings.ts'
import { launcherIn } from '../../hook/index.ts'
import { isObject } from '../../lib/json.ts'
import type { FileChange } from './file-change.ts'
import type { InstallPaths } from './install-paths.ts'
import { type InstallManifest, manifestEntryFor } from './manifest.ts'
import { programOfHookLine } from './ownership.ts'
import { launcherScriptPathIn } from './program/hook-command.ts'
import { isLauncherText } from './program/launchers.ts'
import { pathShimFile, renderPathShim } from './program/path-shim.ts'
import { readSnapshot } from './settings-file/file-snapshot.ts'
import { type HookRegistration, readRegistrations } from './settings-file/registrations.ts'

/** Hooks of ours without a manifest entry: registered by hand, by another user, or with another state folder. */
export interface UntrackedHook {
  readonly client: Client
  readonly scope: SettingsScope
  readonly file: string
  /** the programs that they start */
  readonly programs: readonly string[]
}

export function findUntrackedHooks(
  paths: InstallPaths,
  manifest: InstallManifest,
  scopes: readonly SettingsScope[],
): readonly UntrackedHook[] {
  return clients.flatMap(client =>
    scopes.flatMap(scope => {
      const found = readRegistrations(client, scope, paths)
      const ours = found?.hooks.filter(hook => hook.isOurs) ?? []
      if (!found || ours.length === 0 || manifestEntryFor(found.file, manifest)) return []
      return [{ client, scope, file: found.file, programs: [...new Set(ours.flatMap(programsOf))] }]
    }),
  )
}

function programsOf({ handler, command }: HookRegistration): readonly string[] {
  const named =
    isObject(handler) && Array.isArray(handler.command) ? String(handler.command[0]) : programOfHookLine(command)
  return named === undefined ? [] : [named]
}

/** Launchers as written by `init`, and their shims, that only these hooks use. They are removed with the hooks. */
export function findOrphanedLaunchers(
  stray: readonly UntrackedHook[],
  manifest: InstallManifest,
  paths: InstallPaths,
): readonly FileChange[] {
  return stray
    .flatMap(({ programs, scope }) => programs.map(file => ({ file, scope })))
    .filter(
      ({ file }, at, all) =>
        all.findIndex(candidate => candidate.file === file) === at && !manifestEntryFor(file, manifest),
    )
    .flatMap(({ file, scope }) => {
      const data = join(file, '..', '..')
      const launcher = file === launcherIn(data) ? removalIfOurs(file, scope, isLauncherText) : []
      const script = removalIfOurs(launcherScriptPathIn(data), scope, isLauncherText)
      const word = removalIfOurs(
        pathShimFile(paths),
        scope,
        bytes => bytes.toString('utf8') === renderPathShim({ data }),
      )
      return launcher.length > 0 ? [...launcher, ...script, ...word] : []
    })
}

function removalIfOurs(file: string, scope: SettingsScope, isOurs: (bytes: Buffer) => boolean): readonly FileChange[] {
  try {
    const { real, bytes } = readSnapshot(file)
    if (!bytes || !isOurs(bytes)) return []
    return [{ file, real, before: bytes, after: null, scope, kind: 'launcher', what: 'removed: nothing else uses it' }]
  } catch {
    return []
  }
}
