import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Client } from '../../clients/index.ts'
import type { SettingsScope } from '../../clients/settings.ts'

/** All paths that the installer reads or writes. The caller fills them in; nothing here queries the system. */
export interface InstallPaths {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly cwd: string
  /** the project's root, if the current folder is in a project */
  readonly project: string | undefined
  /** the state folder, which holds the manifest */
  readonly state: string
  /** the folder for the user's copy of the program */
  readonly data: string
  readonly userPolicy: string
  readonly managedPolicy: string
  /** the folder of the running program, and its version */
  readonly program: string
  readonly version: string
  /** the running Node binary */
  readonly node: string
  /** prefix of machine-wide paths, for tests */
  readonly root?: string
}

/** The folder for the machine-wide copy of the program. */
export const sharedDataFolder = ({ root = '' }: InstallPaths): string => `${root}/usr/local/lib/signalbox`

/** The folder for a scope's copy of the program. A project has none: its launcher searches for one. */
export const dataFolderOf = (scope: SettingsScope, paths: InstallPaths): string =>
  scope === 'managed' ? sharedDataFolder(paths) : paths.data

/** Resolves a path from a client's data: `~/…`, absolute or in the project. An environment variable may move the client's folder. */
export function resolveClientFile(
  name: string,
  { moves }: Pick<Client, 'moves'>,
  place: Pick<InstallPaths, 'env' | 'home' | 'project' | 'root'>,
): string | undefined {
  const to = moves && place.env[moves.env]
  if (to && isAbsolute(to) && name.startsWith(`${moves.from}/`)) return join(to, name.slice(moves.from.length))
  if (name.startsWith('~/')) return join(place.home, name.slice(2))
  if (isAbsolute(name)) return `${place.root ?? ''}${name}`
  return place.project && join(place.project, name)
}

/** The path as shown to the user: relative to `cwd` or to `~`. */
export function displayPath(file: string, { cwd, home = homedir() }: Pick<InstallPaths, 'cwd' | 'home'>): string {
  if (file.startsWith(`${cwd}/`)) return `./${file.slice(cwd.length + 1)}`
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}
