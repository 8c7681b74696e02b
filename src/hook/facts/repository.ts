import { dirname, join, resolve } from 'node:path'
import { tryOr } from '../../lib/errors.ts'
import { readTextOrUndefined } from '../../lib/files.ts'

/** What a policy may ask about a repository; null: unknown. */
export interface Repository {
  readonly branch: string | null
  /** the URL of the branch's remote, otherwise of `origin` */
  readonly remote: string | null
}

const UNKNOWN: Repository = { branch: null, remote: null }
const MAX_FOLDERS = 64

/** Reads files only: `git status` and the like would run programs that the repository's settings name. */
export const readRepository = (folder: string): Repository => tryOr(UNKNOWN, () => read(folder))

function read(folder: string): Repository {
  const git = gitFolderOf(folder)
  if (git === undefined) return UNKNOWN
  // a detached HEAD is on no branch that is known
  const branch = /^ref: refs\/heads\/(\S+)\s*$/.exec(readTextOrUndefined(join(git, 'HEAD')) ?? '')?.[1] ?? null
  const common = readTextOrUndefined(join(git, 'commondir'))?.trim()
  const settings = readTextOrUndefined(join(common === undefined ? git : resolve(git, common), 'config')) ?? ''
  return { branch, remote: remoteIn(settings, branch) }
}

/** The folder `.git` of the repository around this folder; in a worktree or a submodule `.git` is a file that names it. */
function gitFolderOf(folder: string): string | undefined {
  for (let [at, left] = [folder, MAX_FOLDERS]; left > 0; at = dirname(at), left--) {
    const git = join(at, '.git')
    if (readTextOrUndefined(join(git, 'HEAD')) !== undefined) return git
    const link = readTextOrUndefined(git)
    if (link !== undefined) return resolve(at, /^gitdir: (.*)/.exec(link)?.[1]?.trim() ?? '')
    if (at === dirname(at)) return undefined
  }
  return undefined
}

/** Settings that include other files may say something else there. */
function remoteIn(settings: string, branch: string | null): string | null {
  if (/^\s*\[include/im.test(settings)) return null
  const remote = (branch !== null && valueIn(settings, `branch "${branch}"`, 'remote')) || 'origin'
  return valueIn(settings, `remote "${remote}"`, 'url') ?? null
}

function valueIn(settings: string, section: string, key: string): string | undefined {
  let isInside = false
  let found: string | undefined
  for (const written of settings.split('\n')) {
    const line = written.trim()
    if (line.startsWith('[')) isInside = line.startsWith(`[${section}]`)
    const [name = '', ...value] = line.split('=')
    if (isInside && name.trim().toLowerCase() === key) found = value.join('=').trim()
  }
  return found
}
