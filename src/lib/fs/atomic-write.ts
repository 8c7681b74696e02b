import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

let draftCount = 0

/** Creates folder by folder: `mkdir` with `recursive` never returns where nothing can be created (/proc, Node 20 and 26). */
export function ensurePrivateFolder(folder: string): void {
  if (existsSync(folder)) return
  if (folder !== dirname(folder)) ensurePrivateFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** Writes the whole file or nothing, for this user only. Returns false if it could not be written. */
export function writeFileAtomically(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}.${++draftCount}.tmp`
  try {
    ensurePrivateFolder(dirname(file))
    writeFileSync(draft, text, { mode: 0o600 })
    renameSync(draft, file)
    return true
  } catch {
    discardDraft(draft)
    return false
  }
}

function discardDraft(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // the folder itself cannot be used, so the draft was never written
  }
}
