import { dirname, resolve } from 'node:path'
import { statIfExists } from '../../lib/files.ts'
import { readRegularFile } from '../../policy/index.ts'

/** Beyond this many files, later ones are not looked at. */
const MOST_FILES = 200
const RELATIVE_IMPORT = /\b(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g

interface StampedFile {
  readonly stamp: string
  readonly imports: readonly string[]
}

/**
 * Tells when a module, or a file that it imports by a relative path, changes: a process that has loaded it must not be asked any more. The
 * imports are found in the text. A name that is put together at run time is not found.
 */
export class ModuleStamps {
  readonly #files = new Map<string, StampedFile>()

  of(modules: readonly string[]): string {
    const seen = new Set(modules)
    const stamps: string[] = []
    for (const file of seen) {
      const { stamp, imports } = this.#look(file)
      stamps.push(`${file} ${stamp}`)
      for (const text of imports) if (seen.size < MOST_FILES) seen.add(text)
    }
    return stamps.join('\n')
  }

  /** Reads the file again only if it has changed. */
  #look(file: string): StampedFile {
    const stamp = stampOf(file)
    const known = this.#files.get(file)
    if (known?.stamp === stamp) return known
    const found = { stamp, imports: stamp === '' ? [] : relativeImportsOf(file) }
    this.#files.set(file, found)
    return found
  }
}

function stampOf(file: string): string {
  const found = statIfExists(file)
  return found ? `${found.ino} ${found.mtimeMs} ${found.ctimeMs} ${found.size}` : ''
}

function relativeImportsOf(file: string): readonly string[] {
  try {
    const text = readRegularFile(file)
    return [...text.matchAll(RELATIVE_IMPORT)].map(([, , name = '']) => resolve(dirname(file), name))
  } catch {
    // the process that imports it says why
    return []
  }
}
