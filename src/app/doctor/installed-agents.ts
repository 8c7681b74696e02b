import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clientDiagnostics, type LoadedSettingsFile } from '../../clients/diagnostics.ts'
import { clientById } from '../../clients/index.ts'
import { type ClientSettings, clientSettingsById } from '../../clients/settings.ts'
import { tryOr } from '../../lib/errors.ts'
import { findUnsupportedSyntax, readManifest } from '../install/index.ts'
import type { DoctorEnvironment, InstalledAgent, SettingsFault } from './context.ts'
import { parseHookFile, parsePluginFile } from './read/hook-file.ts'
import { readOtherPlugins } from './read/other-plugins.ts'
import { openSettingsFiles, resolveSettingsPath } from './read/settings-files.ts'

/**
 * The agents on this machine: their program is executable, their settings contain a hook of ours, or `init` registered one there (with
 * `state`): an agent in an editor has no program on the PATH.
 */
export function findInstalledAgents(where: {
  readonly root: string
  readonly home: string
  readonly env: DoctorEnvironment
  /** the state folder */
  readonly state?: string
}): readonly InstalledAgent[] {
  const registered = where.state === undefined ? [] : filesWithHooks(where.state)
  return clientDiagnostics.flatMap(checkup => {
    const client = clientById(checkup.id)
    const registering = clientSettingsById(checkup.id)
    if (!client || !registering) return []
    const place = { ...where, moves: client.moves }
    const settings = openSettingsFiles(checkup.files, place)
    const beside = openSettingsFiles(checkup.relatedFiles ?? [], place)
    const files = [...settings.files, ...beside.files]
    const own = Object.values(registering.files).map(path => resolveSettingsPath(path, place))
    // a disabled plugin does not count as a registration
    const isOff = ({ file, plugin }: LoadedSettingsFile): boolean =>
      plugin?.state?.(file, { ...where, files }) === 'off'
    const found = settings.files
      .filter(file => !isOff(file))
      .map(file => (checkup.shape === 'code' ? parsePluginFile(file, checkup) : parseHookFile(file, checkup)))
    const left = settings.files.flatMap(file => findUnloadedFiles(file, registering, own))
    const agent: InstalledAgent = {
      ...{ client, checkup, registering },
      program: registering.programs.map(name => findProgram(name, where.env.PATH)).find(text => text !== undefined),
      own,
      files,
      faults: [...settings.faults, ...beside.faults, ...left, ...found.flatMap(content => content.faults)],
      hooks: found.flatMap(content => content.hooks),
      ...readOtherPlugins(checkup, place, files),
    }
    const isHere =
      agent.program !== undefined ||
      agent.hooks.some(hook => hook.ours) ||
      agent.faults.some(fault => fault.ours) ||
      registered.some(file => own.includes(file) && existsSync(file))
    return isHere ? [agent] : []
  })
}

/** The files in which `init` registered a hook, and which `uninstall` has not restored. */
const filesWithHooks = (state: string): readonly string[] =>
  tryOr([], () => readManifest(state).files.flatMap(({ kind, file }) => (kind === 'hooks' ? [file] : [])))

/** Checks only files in folders that `init` writes to: other files may have another parser. */
function findUnloadedFiles(
  { file, text, plugin }: LoadedSettingsFile,
  { hook }: ClientSettings,
  own: readonly string[],
): readonly SettingsFault[] {
  if (hook.kind !== 'settings' || plugin || !own.some(name => dirname(name) === dirname(file))) return []
  const refused = findUnsupportedSyntax(text, hook.reads)
  if (!refused) return []
  const before = text.slice(0, refused.at).split('\n')
  const found = `column ${(before.at(-1)?.length ?? 0) + 1}: has ${refused.what}`
  return [{ kind: 'unloaded', file, line: before.length, found, ours: /signalbox/.test(text) }]
}

/** An executable program, on the PATH or by its path. */
export function findProgram(name: string, path = ''): string | undefined {
  const places = name.includes('/') ? [name] : path.split(':').map(folder => join(folder || '.', name))
  return places.find(isExecutableFile)
}

export function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

export const fileExists = (file: string): boolean => existsSync(file)
