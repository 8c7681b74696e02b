import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { POLICY_FILE } from './layers.ts'

export interface Nested {
  /** folders with a policy of their own, the nearest first */
  readonly folders: readonly string[]
  /** what was not looked at, in words */
  readonly cut?: string
}

const MOST_FOLDERS = 20_000
const MOST_POLICIES = 100
/** Packages of others, and what git keeps. */
const NOT_OURS = new Set(['node_modules', '.git'])

/** Folders below this one whose policy applies in them, on top of those above. A person's home holds other projects: it is not searched. */
export function findNested(top: string, home: string): Nested {
  if (top === home || `${home}/`.startsWith(top.endsWith('/') ? top : `${top}/`)) return { folders: [] }
  const found: string[] = []
  const waiting = [top]
  for (let nth = 0; nth < waiting.length; nth++) {
    const folder = waiting[nth] ?? top
    const entries = entriesOf(folder)
    // a repository of its own, or a worktree, is another project
    if (folder !== top && entries.some(({ name }) => name === '.git')) continue
    if (folder !== top && entries.some(({ name }) => name === POLICY_FILE)) found.push(folder)
    if (found.length > MOST_POLICIES)
      return { folders: found.slice(0, MOST_POLICIES), cut: `more than ${MOST_POLICIES} folders have a policy` }
    for (const entry of entries)
      if (entry.isDirectory() && !NOT_OURS.has(entry.name)) waiting.push(join(folder, entry.name))
    if (waiting.length > MOST_FOLDERS) return { folders: found, cut: `there are more than ${MOST_FOLDERS} folders` }
  }
  return { folders: found }
}

/** By name, so that every machine finds the same first. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
