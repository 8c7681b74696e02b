import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tryOr } from '../../lib/errors.ts'
import { POLICY_FILE } from './layers.ts'

export interface NestedPolicies {
  /** folders with their own policy, nearest first */
  readonly folders: readonly string[]
  /** why the search is incomplete */
  readonly cut?: string
}

const MAX_FOLDERS = 20_000
const MAX_POLICIES = 100
/** Third-party packages and git's own files. */
const SKIPPED_FOLDERS = new Set(['node_modules', '.git'])

/** Finds folders below `top` whose policy applies in addition to those above. Skips the home folder: it holds other projects. */
export function findNestedPolicies(top: string, home: string): NestedPolicies {
  if (top === home || `${home}/`.startsWith(top.endsWith('/') ? top : `${top}/`)) return { folders: [] }
  const found: string[] = []
  const waiting = [top]
  for (let nth = 0; nth < waiting.length; nth++) {
    const folder = waiting[nth] ?? top
    const entries = listFolder(folder)
    // a nested repository or worktree is another project
    if (folder !== top && entries.some(({ name }) => name === '.git')) continue
    if (folder !== top && entries.some(({ name }) => name === POLICY_FILE)) found.push(folder)
    if (found.length > MAX_POLICIES)
      return { folders: found.slice(0, MAX_POLICIES), cut: `more than ${MAX_POLICIES} folders have a policy` }
    for (const entry of entries)
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) waiting.push(join(folder, entry.name))
    if (waiting.length > MAX_FOLDERS) return { folders: found, cut: `there are more than ${MAX_FOLDERS} folders` }
  }
  return { folders: found }
}

/** Sorted by name, so that the result is the same on every machine. */
const listFolder = (folder: string): readonly Dirent[] =>
  tryOr([], () => readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)))
