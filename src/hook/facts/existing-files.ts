import { lstatSync } from 'node:fs'
import { type Event, fileOf } from '../../engine/index.ts'

/** One line may name thousands of files. What is not looked at is unknown. */
const MOST_FILES = 200

/** Which files of the call are there before it. `isThere`: instead of the disk. */
export function existingFiles(
  { call }: Event,
  isThere: (path: string) => boolean | undefined = isOnDisk,
): Readonly<Record<string, boolean>> {
  const paths = new Set((call?.acts ?? []).flatMap(act => fileOf(act) ?? []))
  return Object.fromEntries(
    [...paths].slice(0, MOST_FILES).flatMap(path => {
      const found = isThere(path)
      return found === undefined ? [] : [[path, found]]
    }),
  )
}

function isOnDisk(path: string): boolean | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return undefined
  }
}
