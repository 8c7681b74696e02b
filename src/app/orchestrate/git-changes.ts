import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { tryOr } from '../../lib/errors.ts'

export interface GitChange {
  readonly path: string
  readonly how: 'added' | 'changed' | 'deleted'
}

/** The state of a project: its last commit, and a stamp of every file that differs from it. */
export interface WorkingTree {
  readonly head: string
  readonly files: ReadonlyMap<string, { readonly code: string; readonly stamp: string }>
}

/** git can be slow in a large project */
const TIMEOUT_MS = 60_000
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904' // git's id of the empty tree

export const runGit = (root: string, ...args: readonly string[]): string => runGitWithin(TIMEOUT_MS, root, ...args)

export const runGitWithin = (timeout: number, root: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    timeout,
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutGitVariables(process.env), GIT_OPTIONAL_LOCKS: '0' },
  })

/** Removes variables of a git hook, which name another repository or index. The folder decides which repository is used. */
export const withoutGitVariables = (
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !REPOSITORY_VARIABLE.test(name)))

const REPOSITORY_VARIABLE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/

/** Undefined if the folder is not in a git repository. */
export function readWorkingTree(root: string): WorkingTree | undefined {
  try {
    const words = runGit(root, 'status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all').split('\0')
    const files = words.filter(Boolean).map(word => {
      const path = word.slice(3)
      return [path, { code: word.slice(0, 2), stamp: stampOf(join(root, path)) }] as const
    })
    return { head: headCommitOf(root), files: new Map(files) }
  } catch {
    return undefined
  }
}

/** The repository has no commit yet. */
export const hasNoCommits = ({ head }: WorkingTree): boolean => head === EMPTY_TREE

const headCommitOf = (root: string): string =>
  tryOr(EMPTY_TREE, () => runGit(root, 'rev-parse', '--verify', '-q', 'HEAD').trim())

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? `${found.mtimeMs} ${found.size}` : 'gone'
}

/** Changes since `before`, committed or not; undefined if git fails. A file that already differed counts only if it has changed again. */
export function changesSince(root: string, before: WorkingTree): readonly GitChange[] | undefined {
  const now = readWorkingTree(root)
  if (!now) return undefined
  const found = new Map<string, GitChange['how']>(
    before.head === now.head ? [] : committedChanges(root, before.head, now.head),
  )
  for (const [path, { code, stamp }] of now.files)
    if (before.files.get(path)?.stamp !== stamp) found.set(path, changeKindOf(code, stamp, before.files.has(path)))
  for (const [path, { stamp }] of before.files) {
    const is = stampOf(join(root, path))
    if (!now.files.has(path) && is !== stamp && !found.has(path)) found.set(path, is === 'gone' ? 'deleted' : 'changed')
  }
  return [...found].map(([path, how]) => ({ path, how })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

function changeKindOf(code: string, stamp: string, wasThere: boolean): GitChange['how'] {
  if (stamp === 'gone') return 'deleted'
  return /[?A]/.test(code) && !wasThere ? 'added' : 'changed'
}

const KIND_BY_LETTER: Readonly<Record<string, GitChange['how']>> = { A: 'added', D: 'deleted' }

function committedChanges(root: string, from: string, to: string): readonly (readonly [string, GitChange['how']])[] {
  const words = runGit(root, 'diff', '--name-status', '--no-renames', '-z', from, to).split('\0').filter(Boolean)
  return words.flatMap((word, at) =>
    at % 2 === 0 ? [[words[at + 1] ?? '', KIND_BY_LETTER[word] ?? 'changed'] as const] : [],
  )
}

/** Without git: the files that the agent reported. */
export const reportedChanges = (root: string, files: readonly string[]): readonly GitChange[] =>
  files.map(file => ({ path: isAbsolute(file) ? relative(root, file) : file, how: 'changed' as const }))
