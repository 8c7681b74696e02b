import { chmodSync, existsSync, rmSync } from 'node:fs'
import type { FileChange } from './file-change.ts'
import { createParents, errorCodeOf, readSnapshot, replaceFile, rmdirIfEmpty } from './settings-file/file-snapshot.ts'

/** A change failed. All changes made before it have been undone. */
export class ChangesNotApplied extends Error {}

/** Applies all changes or none. Returns a function that undoes them. */
export function applyChanges(changes: readonly FileChange[]): () => void {
  const undo: (() => void)[] = []
  const back = () => {
    for (const item of undo.splice(0).reverse()) item()
  }
  for (const change of changes) {
    try {
      applyChange(change, undo)
    } catch (error) {
      back()
      if (error instanceof ChangesNotApplied) throw error
      throw new ChangesNotApplied(`${change.file} cannot be written (${errorCodeOf(error)}), so nothing was changed`)
    }
  }
  return back
}

function applyChange({ file, real, before, after, mode, scope }: FileChange, undo: (() => void)[]): void {
  const found = readSnapshot(file)
  const isSame = before === null || found.bytes === null ? before === found.bytes : before.equals(found.bytes)
  if (!isSame || found.real !== real)
    throw new ChangesNotApplied(`${file} was changed in the meantime, so nothing was changed`)
  if (after === null) rmSync(real)
  else {
    for (const folder of createParents(real, scope === 'managed')) undo.push(() => rmdirIfEmpty(folder))
    replaceFile(real, after, found.mode === undefined ? mode : undefined)
    // an existing script that is not executable becomes executable
    if (mode !== undefined && found.mode !== undefined) chmodSync(real, found.mode | (mode & 0o111))
  }
  undo.push(() => {
    if (before !== null) replaceFile(real, before, found.mode)
    else if (existsSync(real)) rmSync(real)
  })
}
