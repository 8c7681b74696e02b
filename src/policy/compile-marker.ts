import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { digest } from '../pattern/index.ts'
import { textOf } from './text-of.ts'
import { writeAtomically } from './write.ts'

/**
 * A compilation that takes longer than a call may is ended from outside, and leaves nothing: without a mark it would begin anew with every call,
 * for ever. One that ended takes its mark away.
 */
const fileFor = (stateDir: string, key: string): string => join(stateDir, 'compiling', digest(key))

/** Others may be at it just now. */
const AT_WORK_MS = 5_000
/** The machine may have been busy: it is tried again now and then. */
const TRIED_AGAIN_MS = 10 * 60_000

/** True: it was begun a while ago, and did not end. Else it is begun now. */
export function markCompileStart(stateDir: string, key: string): boolean {
  const file = fileFor(stateDir, key)
  const age = Date.now() - Number(wordIn(file) ?? 0)
  if (age >= 0 && age < TRIED_AGAIN_MS) return age > AT_WORK_MS
  writeAtomically(file, String(Date.now()))
  return false
}

export function clearCompileMark(stateDir: string, key: string): void {
  try {
    rmSync(fileFor(stateDir, key), { force: true })
  } catch {
    // where nothing can be stored there is no mark
  }
}

function wordIn(file: string): string | null {
  try {
    return textOf(file)
  } catch {
    return null
  }
}
