import { existsSync, rmdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ensurePrivateFolder } from '../../policy/index.ts'
import { runGit, runGitWithin } from './git-changes.ts'

export interface Worktree {
  readonly folder: string
  /** where its work is: the agent may have begun a branch of its own */
  branch(): string
  /** Takes it away again, with its branch, if nothing whatever was done in it. Undefined: it is gone; else why it stays. */
  removeIfEmpty(): string | undefined
}

/** A place beside the project, from its last commit: several tasks at once do not step on each other. */
export function addWorktree(root: string, name: string): Worktree {
  const folder = join(parentFolderOf(root), `${basename(root)}-tasks`, name)
  // a branch `task` leaves no room for `task/…`
  const branch = hasBranch(root, 'task') ? `task-${name}` : `task/${name}`
  if (existsSync(folder) || hasBranch(root, branch))
    throw new Error(`${folder} or its branch ${branch} is there already`)
  ensurePrivateFolder(dirname(folder))
  try {
    runGitWithin(CHECKOUT_MS, root, 'worktree', 'add', '-q', '-b', branch, folder, 'HEAD')
  } catch (error) {
    removeWorktree(root, folder, branch)
    throw new Error(`no worktree could be made in ${folder}: ${gitErrorReason(error)}`)
  }
  const began = runGit(folder, 'rev-parse', 'HEAD').trim()
  return {
    folder,
    branch: () => currentBranchOf(folder) ?? branch,
    removeIfEmpty: () => removeIfUnused(root, folder, { branch, began }),
  }
}

const CHECKOUT_MS = 600_000

/** A submodule lies in another project: beside that. */
function parentFolderOf(root: string): string {
  const around = runGit(root, 'rev-parse', '--show-superproject-working-tree').trim()
  return around === '' ? dirname(root) : parentFolderOf(around)
}

function hasBranch(root: string, name: string): boolean {
  try {
    runGit(root, 'rev-parse', '--verify', '-q', `refs/heads/${name}`)
    return true
  } catch {
    return false
  }
}

/** What git has said last; a hook of the project may have ended it without a word. */
function gitErrorReason(error: unknown): string {
  if (!(error instanceof Error && 'stderr' in error)) return String(error)
  const { status, signal } = error as { readonly status?: number | null; readonly signal?: string | null }
  return (
    String(error.stderr).trim().split('\n').at(-1) ||
    `git ended with ${signal ?? `exit code ${status}`}; has it a hook?`
  )
}

/** Of one that was only half made. */
function removeWorktree(root: string, folder: string, branch: string): void {
  for (const args of [
    ['worktree', 'remove', '--force', folder],
    ['branch', '-q', '-D', branch],
  ])
    try {
      runGit(root, ...args)
    } catch {
      // it did not come that far
    }
  removeFolderIfEmpty(dirname(folder))
}

function removeFolderIfEmpty(folder: string): void {
  try {
    if (existsSync(folder)) rmdirSync(folder)
  } catch {
    // others are in it
  }
}

function currentBranchOf(folder: string): string | undefined {
  try {
    return runGit(folder, 'symbolic-ref', '--short', 'HEAD').trim()
  } catch {
    return undefined
  }
}

/** Nothing is lost: what git ignores counts, and where git cannot tell it stays. */
function removeIfUnused(
  root: string,
  folder: string,
  { branch, began }: { readonly branch: string; readonly began: string },
): string | undefined {
  try {
    if (runGit(folder, 'status', '--porcelain', '--ignored', '--untracked-files=all') !== '') return 'files are in it'
    if (runGit(folder, 'rev-parse', 'HEAD').trim() !== began || currentBranchOf(folder) !== branch)
      return 'commits are in it'
    runGit(root, 'worktree', 'remove', folder)
    runGit(root, 'branch', '-q', '-D', branch)
  } catch {
    return 'git cannot tell or remove it'
  }
  removeFolderIfEmpty(dirname(folder))
  return undefined
}

/** `add-a-login-3f2a`. */
export function worktreeNameFor(task: string, id: string): string {
  const words = task
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 32)
    .replace(/-$/, '')
  return words ? `${words}-${id}` : id
}
