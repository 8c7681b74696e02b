import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fnv64 } from '../../lib/fnv64.ts'
import { writeFileAtomically } from '../../lib/fs/atomic-write.ts'
import { readTextIfExists } from '../../lib/fs/text-file.ts'

/**
 * A compilation that takes longer than a call may is ended from outside, and leaves nothing: without a mark it would begin anew with every call,
 * for ever. One that ended takes its mark away.
 */
const markerFileFor = (stateDir: string, key: string): string => join(stateDir, 'compiling', fnv64(key))

/** Others may be at it just now. */
const COMPILING_MS = 5_000
/** The machine may have been busy: it is tried again now and then. */
const RETRY_MS = 10 * 60_000

/** True: it was begun a while ago, and did not end. Else it is begun now. */
export function markCompileStart(stateDir: string, key: string): boolean {
  const file = markerFileFor(stateDir, key)
  const age = Date.now() - Number(readMarker(file) ?? 0)
  if (age >= 0 && age < RETRY_MS) return age > COMPILING_MS
  writeFileAtomically(file, String(Date.now()))
  return false
}

export function clearCompileMarker(stateDir: string, key: string): void {
  try {
    rmSync(markerFileFor(stateDir, key), { force: true })
  } catch {
    // where nothing can be stored there is no mark
  }
}

function readMarker(file: string): string | null {
  try {
    return readTextIfExists(file)
  } catch {
    return null
  }
}
