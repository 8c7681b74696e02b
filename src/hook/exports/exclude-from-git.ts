import { appendFileSync, lstatSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { readRegularFile, writeFileAtomically } from '../../policy/index.ts'

const OURS = '# files that signalbox writes here\n.gitignore\n'
const LARGEST = 1_000_000

/**
 * State of a session is nothing to commit. It is ignored by a `.gitignore` beside it; where there is one that is not ours, that
 * stays as it is, and git is told by what is this clone's alone: `.git/info/exclude`.
 */
export function excludeFromGit(folder: string, name: string, root: string): void {
  const file = join(folder, '.gitignore')
  const there = lstatSync(file, { throwIfNoEntry: false })
  const found = there ? textOf(file) : OURS
  if (!found?.startsWith(OURS)) exclude(join(folder, name), root)
  else if (!found.split('\n').includes(`${name}*`)) writeFileAtomically(file, `${found}${name}*\n`)
}

/** Nothing depends on it: what cannot be told to git is left to whoever commits. */
function exclude(file: string, root: string): void {
  try {
    const clone = cloneOf(root)
    const list = clone && join(clone.common, 'info/exclude')
    const known = list && (lstatSync(list, { throwIfNoEntry: false }) ? textOf(list) : '')
    if (!clone || !list || known === undefined) return
    const line = `/${relative(clone.top, file)}*`
    if (known.split('\n').includes(line)) return
    appendFileSync(list, `${known === '' || known.endsWith('\n') ? '' : '\n'}${line}\n`)
  } catch {}
}

/** Where the work tree begins, and the folder that all its work trees share. */
function cloneOf(folder: string): { readonly top: string; readonly common: string } | undefined {
  const git = join(folder, '.git')
  const there = lstatSync(git, { throwIfNoEntry: false })
  if (there?.isDirectory()) return { top: folder, common: git }
  if (there?.isFile()) {
    const own = resolve(
      folder,
      textOf(git)
        ?.replace(/^gitdir:/, '')
        .trim() ?? '',
    )
    const common = textOf(join(own, 'commondir'))?.trim()
    return { top: folder, common: common === undefined ? own : resolve(own, common) }
  }
  return folder === dirname(folder) ? undefined : cloneOf(dirname(folder))
}

/** Of a plain file; undefined: it is none, or too large to be what it is called. */
function textOf(file: string): string | undefined {
  const there = lstatSync(file, { throwIfNoEntry: false })
  return there?.isFile() && there.size < LARGEST ? readRegularFile(file) : undefined
}
