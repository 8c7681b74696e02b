import { appendFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { lstatIfExists } from '../../lib/files.ts'
import { readRegularFile, writeFileAtomically } from '../../policy/index.ts'

const OURS = '# files that signalbox writes here\n.gitignore\n'
const LARGEST = 1_000_000

/**
 * Keeps session state out of commits with a `.gitignore` beside the file. If there is a `.gitignore` that is not ours, it stays unchanged
 * and the file goes into this clone's `.git/info/exclude`.
 */
export function excludeFromGit(folder: string, name: string, root: string): void {
  const file = join(folder, '.gitignore')
  const there = lstatIfExists(file)
  const found = there ? textOf(file) : OURS
  if (!found?.startsWith(OURS)) exclude(join(folder, name), root)
  else if (!found.split('\n').includes(`${name}*`)) writeFileAtomically(file, `${found}${name}*\n`)
}

/** Failures are ignored: nothing depends on the entry. */
function exclude(file: string, root: string): void {
  try {
    const clone = cloneOf(root)
    const list = clone && join(clone.common, 'info/exclude')
    const known = list && (lstatIfExists(list) ? textOf(list) : '')
    if (!clone || !list || known === undefined) return
    const line = `/${relative(clone.top, file)}*`
    if (known.split('\n').includes(line)) return
    appendFileSync(list, `${known === '' || known.endsWith('\n') ? '' : '\n'}${line}\n`)
  } catch {}
}

/** The top folder of the work tree, and the git folder that all its work trees share. */
function cloneOf(folder: string): { readonly top: string; readonly common: string } | undefined {
  const git = join(folder, '.git')
  const there = lstatIfExists(git)
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

/** The text of a regular file; undefined: not a regular file, or too large. */
function textOf(file: string): string | undefined {
  const there = lstatIfExists(file)
  return there?.isFile() && there.size < LARGEST ? readRegularFile(file) : undefined
}
