import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadedSettingsFile, SettingsFile } from '../../../clients/diagnostics.ts'
import type { ClientFootprint } from '../../../clients/index.ts'
import { listFolder } from '../../../lib/files.ts'
import { readRegularFile } from '../../../policy/index.ts'
import { JsoncSyntaxError, nodeValue, parseJsonc } from '../../install/index.ts'
import type { DoctorEnvironment, SettingsFault } from '../context.ts'

/** The path of a settings file; an environment variable may move its folder. */
export function resolveSettingsPath(path: string, { root, home, env, moves }: SettingsRoots): string {
  const to = moves && env[moves.env]
  if (to && (path === moves.from || path.startsWith(`${moves.from}/`))) return to + path.slice(moves.from.length)
  if (path.startsWith('~/')) return join(home, path.slice(2))
  return path.startsWith('/') ? path : join(root, path)
}

export interface SettingsRoots {
  readonly root: string
  readonly home: string
  readonly env: DoctorEnvironment
  readonly moves?: ClientFootprint['moves']
}

export interface OpenedSettings {
  readonly files: readonly LoadedSettingsFile[]
  readonly faults: readonly SettingsFault[]
}

/** Opens the files that exist. Unreadable files are reported as faults. */
export function openSettingsFiles(wanted: readonly SettingsFile[], where: SettingsRoots): OpenedSettings {
  const files: LoadedSettingsFile[] = []
  const faults: SettingsFault[] = []
  for (const item of wanted.flatMap(each => expandSettingsPath(each, where))) {
    const opened = openSettingsFile(item)
    if (opened === undefined) continue
    if ('kind' in opened) faults.push(opened)
    else files.push(opened)
  }
  return { files, faults }
}

function expandSettingsPath(
  settingsFile: SettingsFile,
  where: SettingsRoots,
): readonly (SettingsFile & { readonly file: string })[] {
  const file = resolveSettingsPath(settingsFile.path, where)
  if (file.includes('*')) return newestMatch(file).map(found => ({ ...settingsFile, file: found }))
  if (!settingsFile.path.endsWith('/')) return [{ ...settingsFile, file }]
  try {
    const names = readdirSync(file).filter(name => /\.(jsonc?|[cm]?[jt]s)$/.test(name))
    return names.sort().map(name => ({ ...settingsFile, path: settingsFile.path + name, file: join(file, name) }))
  } catch {
    return []
  }
}

/** `*` matches one name. If there are several versions, only the newest is in use. */
function newestMatch(pattern: string): readonly string[] {
  const [, before = '', after = ''] = /^(.*?)\/\*(\/.*)$/.exec(pattern) ?? []
  const found = listFolder(before).map(name => `${before}/${name}${after}`)
  const files = after.includes('*') ? found.flatMap(newestMatch) : found.filter(file => existsSync(file))
  return files.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).slice(-1)
}

/** The same limit as in `init`: a larger file is not a settings file. */
const MAX_BYTES = 8_000_000

function openSettingsFile(
  item: SettingsFile & { readonly file: string },
): LoadedSettingsFile | SettingsFault | undefined {
  let text: string
  try {
    const stat = statSync(item.file, { throwIfNoEntry: false })
    if (!stat?.isFile()) return undefined
    if (stat.size > MAX_BYTES)
      return { kind: 'unreadable', file: item.file, found: 'is larger than 8 MB', fix: 'make it smaller' }
    text = readRegularFile(item.file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    return { kind: 'unreadable', file: item.file, found: `cannot be read (${code})` }
  }
  if (!/\.jsonc?$/.test(item.file)) return { ...item, text, settings: undefined }
  if (text.replace(/^\ufeff/, '').trim() === '') return { ...item, text, settings: {} }
  try {
    return { ...item, text, settings: nodeValue(parseJsonc(text)) }
  } catch (error) {
    if (!(error instanceof JsoncSyntaxError)) throw error
    const before = text.slice(0, error.at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    return {
      kind: 'malformed',
      file: item.file,
      line: before.length,
      found: `column ${column}: ${error.message}`,
      ours: /signalbox/.test(text),
    }
  }
}
