import type { Stats } from 'node:fs'
import { join } from 'node:path'
import type { PathRef } from '../../engine/index.ts'
import { matchShellWildcard } from '../../engine/index.ts'
import { listFolder, statIfExists } from '../../lib/files.ts'
import { type GuardedPaths, guardedGlobs } from './guarded-paths.ts'

/** Limits of the search on disk for one file. */
const MOST_LOOKS = 3000
const MOST_ENTRIES = 500
const DEEPEST = 3

export interface GuardedHardLink {
  /** another name of the file that a rule guards */
  readonly otherName?: string
}

/**
 * Finds hard links: a write to a file with several names changes all of them. Undefined: each written file has only one name. For a folder
 * or a wildcard, every matching file is checked.
 */
function findHardLinks(path: string, isGlob: boolean, named: GuardedPaths | undefined): GuardedHardLink | undefined {
  const files = candidates(path, isGlob).filter(({ stat }) => stat.isFile() && stat.nlink > 1)
  if (files.length === 0) return undefined
  const twin = named && twinOf(files, named)
  return twin === undefined ? {} : { otherName: twin }
}

interface Seen {
  readonly path: string
  readonly stat: Stats
}

function candidates(path: string, isGlob: boolean): readonly Seen[] {
  if (!isGlob) {
    const own = seen(path)
    return own?.stat.isDirectory() ? entriesOf(path) : own ? [own] : []
  }
  const slash = path.lastIndexOf('/')
  const [folder, last] = [path.slice(0, slash) || '/', path.slice(slash + 1)]
  return /[*?[{]/.test(folder) ? [] : entriesOf(folder, name => matchShellWildcard(last, name))
}

function entriesOf(folder: string, isWanted = (_: string): boolean => true): readonly Seen[] {
  const names = listFolder(folder).filter(isWanted).slice(0, MOST_ENTRIES)
  return names.flatMap(name => seen(join(folder, name)) ?? [])
}

function twinOf(files: readonly Seen[], named: GuardedPaths): string | undefined {
  const wanted = new Set(files.map(({ stat }) => keyOf(stat)))
  const own = new Set(files.map(({ path }) => path))
  const budget = { left: MOST_LOOKS }
  for (const glob of new Set(guardedGlobs(named))) {
    const twin = filesOf(glob, budget).find(({ path, stat }) => wanted.has(keyOf(stat)) && !own.has(path))
    if (twin) return twin.path
  }
  return undefined
}

const keyOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`

/** The existing files that a pattern names: a file, or the files below a folder. Patterns that may match anywhere are not searched. */
function filesOf(glob: string, budget: { left: number }): readonly Seen[] {
  const wild = glob.search(/[*?[{]/)
  if (wild < 0) return budget.left-- > 0 ? [seen(glob)].flatMap(item => item ?? []) : []
  const folder = glob.slice(0, glob.lastIndexOf('/', wild))
  const rest = glob.slice(folder.length + 1)
  if (rest !== '**' && rest.includes('/')) return []
  return below(folder, rest === '**' ? DEEPEST : 1, budget)
}

function below(folder: string, depth: number, budget: { left: number }): readonly Seen[] {
  return listFolder(folder).flatMap(name => {
    const one = budget.left-- > 0 ? seen(join(folder, name)) : undefined
    if (!one) return []
    return one.stat.isDirectory() && depth > 1 ? below(one.path, depth - 1, budget) : [one]
  })
}

function seen(path: string): Seen | undefined {
  try {
    const stat = statIfExists(path)
    return stat && { path, stat }
  } catch {
    return undefined
  }
}

/** A write to a hard-linked file also changes its other names: `real` becomes the name that a rule guards, and `strays` is set. */
export function withTwin(ref: PathRef, program: GuardedPaths | undefined): PathRef {
  const path = ref.real ?? ref.lexical
  const linked = path === null ? undefined : findHardLinks(path, ref.glob === true, program)
  return linked ? { ...ref, ...(linked.otherName && { real: linked.otherName }), strays: true } : ref
}
