import { existsSync, rmdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { tryOr } from '../../lib/errors.ts'
import { ensurePrivateFolder } from '../../policy/index.ts'
import { runGit, runGitWithin } from './git-changes.ts'

export interface Worktree {
  readonly folder: string
  /** the branch with the work: the agent may have created its own */
  branch(): string
  /** Removes the worktree and its branch if nothing was done in it. Undefined if removed, else why it stays. */
  removeIfEmpty(): string | undefined
}

/** Adds a worktree beside the project, at its last commit, so that parallel tasks do not conflict. */
export function addWorktree(root: string, name: string): Worktree {
  const folder = join(parentFolderOf(root), `${basename(root)}-tasks`, name)
  // git cannot have both a branch `task` and `task/…`
  const branch = hasBranch(root, 'task') ? `task-${name}` : `task/${name}`
  if (existsSync(folder) || hasBranch(root, branch)) throw new Error(`${folder} or its branch ${branch} already exists`)
  ensurePrivateFolder(dirname(folder))
  try {
    runGitWithin(CHECKOUT_MS, root, 'worktree', 'add', '-q', '-b', branch, folder, 'HEAD')
  } catch (error) {
    removeWorktree(root, folder, branch)
    throw new Error(`git could not create a worktree in ${folder}: ${gitErrorReason(error)}`)
  }
  const began = runGit(folder, 'rev-parse', 'HEAD').trim()
  return {
    folder,
    branch: () => currentBranchOf(folder) ?? branch,
    removeIfEmpty: () => removeIfUnused(root, folder, { branch, began }),
  }
}

const CHECKOUT_MS = 600_000

/** The parent of the project; for a submodule, of the outermost superproject. */
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

/** The last line of git's output. A project's git hook may fail without output. */
function gitErrorReason(error: unknown): string {
  if (!(error instanceof Error && 'stderr' in error)) return String(error)
  const { status, signal } = error as { readonly status?: number | null; readonly signal?: string | null }
  return (
    String(error.stderr).trim().split('\n').at(-1) ||
    `git ended with ${signal ?? `exit code ${status}`}; does the repository have a git hook?`
  )
}

/** Removes a worktree that was only partly created. */
function removeWorktree(root: string, folder: string, branch: string): void {
  for (const args of [
    ['worktree', 'remove', '--force', folder],
    ['branch', '-q', '-D', branch],
  ])
    try {
      runGit(root, ...args)
    } catch {
      // it was not created
    }
  removeFolderIfEmpty(dirname(folder))
}

function removeFolderIfEmpty(folder: string): void {
  try {
    if (existsSync(folder)) rmdirSync(folder)
  } catch {
    // the folder is not empty
  }
}

const currentBranchOf = (folder: string): string | undefined =>
  tryOr(undefined, () => runGit(folder, 'symbolic-ref', '--short', 'HEAD').trim())

/** Removes only an unused worktree: ignored files count as use, and if git fails it stays. */
function removeIfUnused(
  root: string,
  folder: string,
  { branch, began }: { readonly branch: string; readonly began: string },
): string | undefined {
  try {
    if (runGit(folder, 'status', '--porcelain', '--ignored', '--untracked-files=all') !== '') return 'it contains files'
    if (runGit(folder, 'rev-parse', 'HEAD').trim() !== began || currentBranchOf(folder) !== branch)
      return 'it contains commits'
    runGit(root, 'worktree', 'remove', folder)
    runGit(root, 'branch', '-q', '-D', branch)
  } catch {
    return 'git cannot check or remove it'
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
