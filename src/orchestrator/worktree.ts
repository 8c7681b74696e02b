import { existsSync, rmdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../policy/index.ts'
import { git } from './changes.ts'

export interface Worktree {
  readonly folder: string
  /** where its work is: the agent may have begun a branch of its own */
  branch(): string
  /** Takes it away again, with its branch, if nothing whatever was done in it. Undefined: it is gone; else why it stays. */
  removeIfEmpty(): string | undefined
}

/** A place beside the project, from its last commit: several tasks at once do not step on each other. */
export function addWorktree(root: string, name: string): Worktree {
  const folder = join(dirname(root), `${basename(root)}-tasks`, name)
  const branch = `task/${name}`
  makeFolder(dirname(folder))
  try {
    git(root, 'worktree', 'add', '-q', '-b', branch, folder, 'HEAD')
  } catch (error) {
    const why = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : error
    throw new Error(`no worktree could be made in ${folder}: ${why}`)
  }
  const began = git(folder, 'rev-parse', 'HEAD').trim()
  return {
    folder,
    branch: () => branchIn(folder) ?? branch,
    removeIfEmpty: () => removeIfEmpty(root, folder, { branch, began }),
  }
}

function branchIn(folder: string): string | undefined {
  try {
    return git(folder, 'symbolic-ref', '--short', 'HEAD').trim()
  } catch {
    return undefined
  }
}

/** Nothing is lost: what git ignores counts, and where git cannot tell it stays. */
function removeIfEmpty(
  root: string,
  folder: string,
  { branch, began }: { readonly branch: string; readonly began: string },
): string | undefined {
  try {
    if (git(folder, 'status', '--porcelain', '--ignored', '--untracked-files=all') !== '') return 'files are in it'
    if (git(folder, 'rev-parse', 'HEAD').trim() !== began || branchIn(folder) !== branch) return 'commits are in it'
    git(root, 'worktree', 'remove', folder)
    git(root, 'branch', '-q', '-D', branch)
  } catch {
    return 'git cannot tell or remove it'
  }
  try {
    if (existsSync(dirname(folder))) rmdirSync(dirname(folder))
  } catch {
    // others are in it
  }
  return undefined
}

/** `add-a-login-3f2a`. */
export function nameFor(task: string, id: string): string {
  const words = task
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 32)
    .replace(/-$/, '')
  return words ? `${words}-${id}` : id
}
