import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Read, SettingsFile } from '../clients/checkups.ts'
import type { Traces } from '../clients/index.ts'
import { Malformed, parseJsonc, saidBy } from '../install/index.ts'
import { readRegular } from '../policy/index.ts'
import type { Env, Fault } from './case.ts'

/** Where a file of an agent's settings is: a variable may move its folder. */
export function placeOf(path: string, { root, home, env, moves }: Where): string {
  const to = moves && env[moves.env]
  if (to && (path === moves.from || path.startsWith(`${moves.from}/`))) return to + path.slice(moves.from.length)
  if (path.startsWith('~/')) return join(home, path.slice(2))
  return path.startsWith('/') ? path : join(root, path)
}

export interface Where {
  readonly root: string
  readonly home: string
  readonly env: Env
  readonly moves?: Traces['moves']
}

export interface Opened {
  readonly files: readonly Read[]
  readonly faults: readonly Fault[]
}

/** The files that are there. What cannot be read is said, not left out. */
export function openAll(wanted: readonly SettingsFile[], where: Where): Opened {
  const files: Read[] = []
  const faults: Fault[] = []
  for (const one of wanted.flatMap(each => within(each, where))) {
    const opened = open(one)
    if (opened === undefined) continue
    if ('kind' in opened) faults.push(opened)
    else files.push(opened)
  }
  return { files, faults }
}

function within(one: SettingsFile, where: Where): readonly (SettingsFile & { readonly file: string })[] {
  const file = placeOf(one.path, where)
  if (file.includes('*')) return newest(file).map(found => ({ ...one, file: found }))
  if (!one.path.endsWith('/')) return [{ ...one, file }]
  try {
    const names = readdirSync(file).filter(name => /\.(jsonc?|[cm]?[jt]s)$/.test(name))
    return names.sort().map(name => ({ ...one, path: one.path + name, file: join(file, name) }))
  } catch {
    return []
  }
}

/** `*` stands for one name. Of several versions only the last is in use. */
function newest(pattern: string): readonly string[] {
  const [, before = '', after = ''] = /^(.*?)\/\*(\/.*)$/.exec(pattern) ?? []
  const found = namesIn(before).map(name => `${before}/${name}${after}`)
  const files = after.includes('*') ? found.flatMap(newest) : found.filter(file => existsSync(file))
  return files.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).slice(-1)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** As `init`: what is larger is no file of settings, and too much for who reads it. */
const LARGEST = 8_000_000

function open(one: SettingsFile & { readonly file: string }): Read | Fault | undefined {
  let text: string
  try {
    const stat = statSync(one.file, { throwIfNoEntry: false })
    if (!stat?.isFile()) return undefined
    if (stat.size > LARGEST)
      return { kind: 'unreadable', file: one.file, saw: 'is larger than 8 MB', fix: 'make it smaller' }
    text = readRegular(one.file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    return { kind: 'unreadable', file: one.file, saw: `cannot be read (${code})` }
  }
  if (!/\.jsonc?$/.test(one.file)) return { ...one, text, said: undefined }
  if (text.replace(/^\ufeff/, '').trim() === '') return { ...one, text, said: {} }
  try {
    return { ...one, text, said: saidBy(parseJsonc(text)) }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    const before = text.slice(0, error.at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    return {
      kind: 'malformed',
      file: one.file,
      line: before.length,
      saw: `column ${column}: ${error.message}`,
      ours: /signalbox/.test(text),
    }
  }
}
