import type { Limits } from '../limits.ts'
import { readRegular } from '../read.ts'
import type { Files } from './context.ts'

/** Contents by path; null: looked for and not there. */
export type Contents = Map<string, string | null>

/** Reads the disk, each file once, and remembers what it was asked for. */
export function filesOnDisk(seen: Contents): Files {
  return {
    read(file) {
      const known = seen.get(file)
      if (known !== undefined) return known
      const text = readText(file)
      seen.set(file, text)
      return text
    },
  }
}

/** As they were when the layer last compiled. */
export function filesAsKept(kept: ReadonlyMap<string, string | null>, disk: Files): Files {
  return { read: file => kept.get(file) ?? (kept.has(file) ? null : disk.read(file)) }
}

/** The policy itself is not among them. */
export function countedFiles(files: Files, limits: Limits): Files {
  const seen = new Set<string>()
  return {
    read(file) {
      if (seen.has(file)) return files.read(file)
      seen.add(file)
      limits.spend('files', 1)
      const text = files.read(file)
      limits.spend('characters', text?.length ?? 0)
      return text
    },
  }
}

function readText(file: string): string | null {
  try {
    return readRegular(file)
  } catch {
    return null
  }
}
