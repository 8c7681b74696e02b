import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

let count = 0

/** Whole or not at all, for this user only. False when it could not be written. */
export function writeAtomically(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}.${++count}.tmp`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, text, { mode: 0o600 })
    renameSync(draft, file)
    return true
  } catch {
    discard(draft)
    return false
  }
}

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // the folder itself is in the way: then the draft was never written
  }
}
