import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

interface WalkedFolder {
  /** as it is called from where the walk began */
  readonly path: string
  readonly real: string
}

/** The files in a folder, of any depth, by their paths in it. Links are followed, and no folder is walked twice. */
export function listFilesRecursively(top: string): readonly string[] {
  const files: string[] = []
  const walked = new Set<string>()
  const folders: WalkedFolder[] = [top].flatMap(realPathsOf).map(real => ({ path: '', real }))
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    if (walked.has(at.real)) continue
    walked.add(at.real)
    const links: WalkedFolder[] = []
    for (const entry of entriesOf(at.real)) {
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
    // last: what is there under a name of its own has that name
    folders.unshift(...links)
  }
  return files.sort()
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function realPathsOf(path: string): readonly string[] {
  try {
    return [realpathSync(path)]
  } catch {
    return []
  }
}

/** Undefined where a link leads nowhere, or in a circle. */
function fileKindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = statSync(path)
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : undefined
  } catch {
    return undefined
  }
}
