import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Layer } from '../pattern/index.ts'
import { isLimited, MOST_BYTES, OVER_LIMIT_HELP } from './limits.ts'
import { type PolicyError, problemOf } from './problem.ts'
import { readRegular } from './read.ts'

export const POLICY_FILE = 'signalbox.yaml'

export interface LayerFile {
  readonly layer: Layer
  readonly file: string
  /** null when it cannot be read; `problem` says why */
  readonly text: string | null
  readonly problem?: PolicyError
}

export interface Found {
  /** strongest first */
  readonly files: readonly LayerFile[]
  readonly warnings: readonly PolicyError[]
  /** files that are not there: one that appears changes what applies */
  readonly absent: readonly string[]
}

export interface Where {
  readonly root: string
  readonly cwd: string
  readonly home: string
  readonly userFile: string
  readonly managedFile: string
  /** what is in force without anybody's policy: part of the program */
  readonly builtInFile: string
  /** the layers that count; absent: all */
  readonly only?: readonly Layer[]
}

/** The policy files that apply here. */
export function findLayers({ root, cwd, userFile, managedFile, builtInFile, only }: Where): Found {
  const wanted: { layer: LayerFile['layer']; file: string }[] = [
    { layer: 'managed', file: managedFile },
    { layer: 'user', file: userFile },
    { layer: 'project', file: join(root, POLICY_FILE) },
    ...foldersBetween(root, cwd)
      .slice(0, MOST_FOLDERS)
      .map(folder => ({ layer: 'nested' as const, file: join(folder, POLICY_FILE) })),
    { layer: 'built-in', file: builtInFile },
  ]
  const files: LayerFile[] = []
  const warnings: PolicyError[] = []
  const absent: string[] = []
  let room = MOST_BYTES
  for (const { layer, file } of wanted.filter(one => only === undefined || only.includes(one.layer))) {
    // the project may be the user's own folder: one file is one layer, the stronger
    if (files.some(one => one.file === file)) continue
    const found = readLayer(layer, file, isLimited(layer) ? room : undefined)
    if (isLimited(layer) && found && 'text' in found) room -= Buffer.byteLength(found.text ?? '')
    if (found === null) {
      warnings.push(...misspelt(file))
      absent.push(file, otherName(file))
    } else if ('warning' in found) warnings.push(found.warning)
    else files.push(found)
  }
  return { files, warnings, absent }
}

/** Nobody works deeper than that below a root; each costs every call a look. */
const MOST_FOLDERS = 100

/** Below the root down to `cwd`, the nearest to the root first. */
function foldersBetween(root: string, cwd: string): readonly string[] {
  const below = relative(root, cwd)
  if (below === '' || below.startsWith('..') || below.startsWith(sep)) return []
  const parts = below.split(sep)
  return parts.map((_, index) => join(root, ...parts.slice(0, index + 1)))
}

function readLayer(
  layer: LayerFile['layer'],
  file: string,
  room: number | undefined,
): LayerFile | { warning: PolicyError } | null {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) return null
    const me = process.getuid?.()
    // whoever owns the program owns its built-in policy
    if (layer !== 'built-in' && me !== undefined && stat.uid !== me && stat.uid !== 0)
      return { warning: problemOf(file, 'this policy is ignored: another user owns it', 'chown it if it is yours') }
    if (room !== undefined && stat.isFile() && stat.size > room) return tooLarge(layer, file)
    return { layer, file, text: readRegular(file) }
  } catch (error) {
    const why = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : 'unreadable'
    return { layer, file, text: null, problem: problemOf(file, `the policy cannot be read (${why})`) }
  }
}

const tooLarge = (layer: LayerFile['layer'], file: string): LayerFile => {
  const most = `${MOST_BYTES / 1_000_000} MB`
  return {
    layer,
    file,
    text: null,
    problem: problemOf(file, `the policies of a project are limited to ${most} together`, OVER_LIMIT_HELP),
  }
}

function misspelt(file: string): readonly PolicyError[] {
  const other = otherName(file)
  return existsSync(other) ? [problemOf(other, '`signalbox.yml` is not read', 'rename it to `signalbox.yaml`')] : []
}

const otherName = (file: string): string => join(dirname(file), 'signalbox.yml')
