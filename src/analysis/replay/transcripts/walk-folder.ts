import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { tryOr } from '../../../lib/errors.ts'
import { readEntries } from '../../../lib/files.ts'

interface WalkedFolder {
  /** path relative to the top folder */
  readonly path: string
  readonly real: string
}

/** All files below a folder, by relative path. Follows symlinks and visits no folder twice. */
export function listFilesRecursively(top: string): readonly string[] {
  const files: string[] = []
  const walked = new Set<string>()
  const folders: WalkedFolder[] = [top].flatMap(realPathsOf).map(real => ({ path: '', real }))
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    if (walked.has(at.real)) continue
    walked.add(at.real)
    const links: WalkedFolder[] = []
    for (const entry of readEntries(at.real)) {
      const path = join(at.path, entry.name)
      const real = join(at.real, entry.name)
      if (entry.isFile()) files.push(path)
      else if (entry.isDirectory()) folders.push({ path, real })
      else if (entry.isSymbolicLink()) {
        const kind = fileKindOf(real)
        if (kind === 'file') files.push(path)
        if (kind === 'folder') links.push(...realPathsOf(real).map(to => ({ path, real: to })))
      }
    }
    // Symlinks are visited last, so that a folder is listed under its own path where it has one.
    folders.unshift(...links)
  }
  return files.sort()
}

const realPathsOf = (path: string): readonly string[] => tryOr([], () => [realpathSync(path)])

/** Undefined for a broken symlink or a symlink loop. */
function fileKindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = statSync(path)
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : undefined
  } catch {
    return undefined
  }
}
