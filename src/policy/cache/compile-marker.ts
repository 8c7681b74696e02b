import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { tryOr } from '../../lib/errors.ts'
import { readTextIfExists, writeFileAtomically } from '../../lib/files.ts'
import { fnv64 } from '../../lib/fnv64.ts'

/**
 * A compilation that takes longer than a tool call may is killed and stores nothing. Without a marker file it would start again at
 * every call, forever. A compilation that ends removes its marker.
 */
const markerFileFor = (stateDir: string, key: string): string => join(stateDir, 'compiling', fnv64(key))

/** A younger marker may belong to another process that is compiling now. */
const COMPILING_MS = 5_000
/** An older marker is ignored: the machine may have been busy, so compiling is tried again. */
const RETRY_MS = 10 * 60_000

/** Returns true if an earlier compilation started and did not end. Otherwise marks the start of this compilation. */
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
    // if nothing can be stored, there is no marker
  }
}

const readMarker = (file: string): string | null => tryOr(null, () => readTextIfExists(file))
