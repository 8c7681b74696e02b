import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Client } from '../../clients/index.ts'
import type { SettingsScope } from '../../clients/settings.ts'

/** Where everything is that is looked at or written. Nothing here asks the system: who calls says so. */
export interface InstallPaths {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly cwd: string
  /** the project's root, if this is one */
  readonly project: string | undefined
  /** what is stored: the manifest is there */
  readonly state: string
  /** the person's copy of the program */
  readonly data: string
  readonly userPolicy: string
  readonly managedPolicy: string
  /** the folder of the program that runs now, and its version */
  readonly program: string
  readonly version: string
  /** the Node that runs now */
  readonly node: string
  /** in front of paths that are everybody's, for tests */
  readonly root?: string
}

/** The copy for everybody on the machine. */
export const sharedDataFolder = ({ root = '' }: InstallPaths): string => `${root}/usr/local/lib/signalbox`

/** The folder the copy of this scope is in. A project has none: its launcher looks for one. */
export const dataFolderOf = (scope: SettingsScope, place: InstallPaths): string =>
  scope === 'managed' ? sharedDataFolder(place) : place.data

/** A file as the client's data names it: `~/…`, absolute, or of the project; a variable may have moved the client's folder. */
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

/** As a person here would name it. */
export function displayPath(file: string, { cwd, home = homedir() }: Pick<InstallPaths, 'cwd' | 'home'>): string {
  if (file.startsWith(`${cwd}/`)) return `./${file.slice(cwd.length + 1)}`
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}
