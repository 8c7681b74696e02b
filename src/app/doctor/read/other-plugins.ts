import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ClientDiagnostics, LoadedSettingsFile, ThirdPartyPlugins } from '../../../clients/diagnostics.ts'
import type { InstalledAgent } from '../context.ts'
import { parseHookFile } from './hook-file.ts'
import { openSettingsFiles, resolveSettingsPath, type SettingsRoots } from './settings-files.ts'

/** What plugins of other people bring, and the MCP servers that are known here. Files that cannot be read bring nothing. */
export function readOtherPlugins(
  checkup: ClientDiagnostics,
  where: SettingsRoots,
  files: readonly LoadedSettingsFile[],
): Pick<InstalledAgent, 'pluginHooks' | 'pluginAgents' | 'servers'> {
  const { plugins, servers } = checkup
  const open = (paths: readonly string[]) =>
    openSettingsFiles(
      paths.map(path => ({ path, scope: 'user' as const })),
      where,
    ).files
  const folders = plugins
    ? foldersOf(plugins, where).filter(folder => plugins.isOn(`${folder}/`, { ...where, files }))
    : []
  const hooks = open(folders.map(folder => join(folder, plugins?.hooks ?? '')))
  const serverFiles = folders.flatMap(folder => (plugins?.servers ?? []).map(name => join(folder, name)))
  return {
    pluginHooks: hooks.flatMap(file => parseHookFile(file, checkup).hooks).filter(hook => !hook.ours),
    pluginAgents:
      plugins &&
      folders.flatMap(folder => expand(join(folder, 'agents/*'))).flatMap(file => /([^/]+)\.md$/.exec(file)?.[1] ?? []),
    servers: servers && open([...servers.files, ...serverFiles]).flatMap(file => servers.names(file, where.root)),
  }
}

function foldersOf({ folder, versions }: ThirdPartyPlugins, where: SettingsRoots): readonly string[] {
  const all = expand(resolveSettingsPath(folder, where))
  if (!versions) return all
  const sorted = [...all].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return [...new Map(sorted.map(text => [dirname(text), text])).values()]
}

function expand(pattern: string): readonly string[] {
  const [, before, after = ''] = /^(.*?)\/\*(\/.*)?$/.exec(pattern) ?? []
  if (before === undefined) return [pattern]
  try {
    return readdirSync(before).flatMap(name => expand(`${before}/${name}${after}`))
  } catch {
    return []
  }
}
