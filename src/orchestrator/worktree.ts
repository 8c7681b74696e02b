import { existsSync, rmdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../policy/index.ts'
import { git, gitWithin } from './changes.ts'

export interface Worktree {
  readonly folder: string
  /** where its work is: the agent may have begun a branch of its own */
  branch(): string
  /** Takes it away again, with its branch, if nothing whatever was done in it. Undefined: it is gone; else why it stays. */
  removeIfEmpty(): string | undefined
}

/** A place beside the project, from its last commit: several tasks at once do not step on each other. */
export function addWorktree(root: string, name: string): Worktree {
  const folder = join(besideOf(root), `${basename(root)}-tasks`, name)
  // a branch `task` leaves no room for `task/…`
  const branch = hasBranch(root, 'task') ? `task-${name}` : `task/${name}`
  if (existsSync(folder) || hasBranch(root, branch))
    throw new Error(`${folder} or its branch ${branch} is there already`)
  makeFolder(dirname(folder))
  try {
    gitWithin(CHECKOUT_MS, root, 'worktree', 'add', '-q', '-b', branch, folder, 'HEAD')
  } catch (error) {
    takeAway(root, folder, branch)
    throw new Error(`no worktree could be made in ${folder}: ${whyOf(error)}`)
  }
  const began = git(folder, 'rev-parse', 'HEAD').trim()
  return {
    folder,
    branch: () => branchIn(folder) ?? branch,
    removeIfEmpty: () => removeIfEmpty(root, folder, { branch, began }),
  }
}

const CHECKOUT_MS = 600_000

/** A submodule lies in another project: beside that. */
function besideOf(root: string): string {
  const around = git(root, 'rev-parse', '--show-superproject-working-tree').trim()
  return around === '' ? dirname(root) : besideOf(around)
}

function hasBranch(root: string, name: string): boolean {
  try {
    git(root, 'rev-parse', '--verify', '-q', `refs/heads/${name}`)
    return true
  } catch {
    return false
  }
}

/** What git has said last; a hook of the project may have ended it without a word. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error && 'stderr' in error)) return String(error)
  const { status, signal } = error as { readonly status?: number | null; readonly signal?: string | null }
  return (
    String(error.stderr).trim().split('\n').at(-1) ||
    `git ended with ${signal ?? `exit code ${status}`}; has it a hook?`
  )
}

/** Of one that was only half made. */
function takeAway(root: string, folder: string, branch: string): void {
  for (const args of [
    ['worktree', 'remove', '--force', folder],
    ['branch', '-q', '-D', branch],
  ])
    try {
      git(root, ...args)
    } catch {
      // it did not come that far
    }
  removeEmpty(dirname(folder))
}

function removeEmpty(folder: string): void {
  try {
    if (existsSync(folder)) rmdirSync(folder)
  } catch {
    // others are in it
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
  removeEmpty(dirname(folder))
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
