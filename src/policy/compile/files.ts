import { tryOr } from '../../lib/errors.ts'
import { readRegularFile } from '../../lib/files.ts'
import type { ProjectLimits } from '../limits.ts'
import type { FileReader } from './context.ts'

/** Contents by path; null: the file does not exist or cannot be read. */
export type FileContents = Map<string, string | null>

/** Reads each file from disk once and records it in `contents`. */
export function createDiskReader(contents: FileContents): FileReader {
  return {
    read(file) {
      const known = contents.get(file)
      if (known !== undefined) return known
      const text = readTextOrNull(file)
      contents.set(file, text)
      return text
    },
  }
}

/** Reads the files as they were when the layer last compiled. */
export function createSnapshotReader(snapshot: ReadonlyMap<string, string | null>, disk: FileReader): FileReader {
  return { read: file => snapshot.get(file) ?? (snapshot.has(file) ? null : disk.read(file)) }
}

/** Counts the files that a policy refers to against the limits. The policy's own file is not counted here. */
export function withFileLimit(files: FileReader, limits: ProjectLimits): FileReader {
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

const readTextOrNull = (file: string): string | null => tryOr(null, () => readRegularFile(file))
