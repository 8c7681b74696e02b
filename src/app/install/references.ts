import { basename, dirname } from 'node:path'
import type { SettingsScope } from '../../clients/settings.ts'
import type { InstallManifest, ManifestEntry } from './manifest.ts'

type RegisteredFile = Pick<ManifestEntry, 'scope' | 'file'>

/**
 * The staying hook files that still call this launcher, or the program in this folder: those of the same scope. Project hooks also
 * use the user's program.
 */
export function referencesTo(
  { scope, file }: RegisteredFile,
  staying: readonly ManifestEntry[],
  unwritten: readonly RegisteredFile[],
): readonly string[] {
  const hooks = [...staying.filter(({ kind }) => kind === 'hooks' || kind === 'plugin'), ...unwritten]
  const isNeeding: Readonly<Record<SettingsScope, (registeredFile: RegisteredFile) => boolean>> = {
    managed: registeredFile => registeredFile.scope === 'managed',
    user: registeredFile => registeredFile.scope !== 'managed',
    project: registeredFile =>
      registeredFile.scope === 'project' && registeredFile.file.startsWith(`${projectOfLauncher(file)}/`),
  }
  const whose = scope === 'project' && basename(file) !== 'hook' ? 'user' : scope
  return hooks.filter(isNeeding[whose]).map(hook => hook.file)
}

/** The launcher is `<project>/.signalbox/hook`. */
const projectOfLauncher = (launcher: string): string => dirname(dirname(launcher))

/** Files that an `init` in user scope wrote into a project that has its own hook: policy, agents, commands, instruction sections. */
export function entriesInHookedProjects({ files }: InstallManifest): readonly ManifestEntry[] {
  const projects = files
    .filter(({ scope, kind, file }) => scope === 'project' && kind === 'launcher' && basename(file) === 'hook')
    .map(({ file }) => projectOfLauncher(file))
  return files.filter(
    ({ scope, kind, file }) =>
      scope === 'user' &&
      ['policy', 'agent', 'command', 'section'].includes(kind) &&
      projects.some(project => file.startsWith(`${project}/`)),
  )
}
