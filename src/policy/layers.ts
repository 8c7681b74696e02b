import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Layer } from '../pattern/index.ts'
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
}

/** The policy files that apply here. */
export function findLayers({ root, cwd, userFile, managedFile, builtInFile }: Where): Found {
  const wanted: { layer: LayerFile['layer']; file: string }[] = [
    { layer: 'managed', file: managedFile },
    { layer: 'user', file: userFile },
    { layer: 'project', file: join(root, POLICY_FILE) },
    ...foldersBetween(root, cwd).map(folder => ({ layer: 'nested' as const, file: join(folder, POLICY_FILE) })),
    { layer: 'built-in', file: builtInFile },
  ]
  const files: LayerFile[] = []
  const warnings: PolicyError[] = []
  const absent: string[] = []
  for (const { layer, file } of wanted) {
    // the project may be the user's own folder: one file is one layer, the stronger
    if (files.some(one => one.file === file)) continue
    const found = readLayer(layer, file)
    if (found === null) {
      warnings.push(...misspelt(file))
      absent.push(file, otherName(file))
    } else if ('warning' in found) warnings.push(found.warning)
    else files.push(found)
  }
  return { files, warnings, absent }
}

/** Below the root down to `cwd`, the nearest to the root first. */
function foldersBetween(root: string, cwd: string): readonly string[] {
  const below = relative(root, cwd)
  if (below === '' || below.startsWith('..') || below.startsWith(sep)) return []
  const parts = below.split(sep)
  return parts.map((_, index) => join(root, ...parts.slice(0, index + 1)))
}

function readLayer(layer: LayerFile['layer'], file: string): LayerFile | { warning: PolicyError } | null {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) return null
    const me = process.getuid?.()
    // whoever owns the program owns its built-in policy
    if (layer !== 'built-in' && me !== undefined && stat.uid !== me && stat.uid !== 0)
      return { warning: problemOf(file, 'this policy is ignored: another user owns it', 'chown it if it is yours') }
    return { layer, file, text: readRegular(file) }
  } catch (error) {
    const why = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : 'unreadable'
    return { layer, file, text: null, problem: problemOf(file, `the policy cannot be read (${why})`) }
  }
}

function misspelt(file: string): readonly PolicyError[] {
  const other = otherName(file)
  return existsSync(other) ? [problemOf(other, '`signalbox.yml` is not read', 'rename it to `signalbox.yaml`')] : []
}

const otherName = (file: string): string => join(dirname(file), 'signalbox.yml')
