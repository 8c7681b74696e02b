import { chmodSync, existsSync, rmSync } from 'node:fs'
import type { Change } from './change.ts'
import { codeOf, lookAt, makeFoldersAbove, putFile, rmdirIfEmpty } from './file.ts'

/** What was begun cannot be ended: everything is as it was before. */
export class NotWritten extends Error {}

/** The changes, all of them or none. Gives what takes them back. */
export function applyChanges(changes: readonly Change[]): () => void {
  const undo: (() => void)[] = []
  const back = () => {
    for (const one of undo.splice(0).reverse()) one()
  }
  for (const change of changes) {
    try {
      applyOne(change, undo)
    } catch (error) {
      back()
      if (error instanceof NotWritten) throw error
      throw new NotWritten(`${change.file} cannot be written (${codeOf(error)}), so nothing was changed`)
    }
  }
  return back
}

function applyOne({ file, real, before, after, mode, scope }: Change, undo: (() => void)[]): void {
  const found = lookAt(file)
  const isSame = before === null || found.bytes === null ? before === found.bytes : before.equals(found.bytes)
  if (!isSame || found.real !== real) throw new NotWritten(`${file} was changed meanwhile, so nothing was changed`)
  if (after === null) rmSync(real)
  else {
    for (const folder of makeFoldersAbove(real, scope === 'managed')) undo.push(() => rmdirIfEmpty(folder))
    putFile(real, after, found.mode === undefined ? mode : undefined)
    // a script that was there without the right to be run gets it
    if (mode !== undefined && found.mode !== undefined) chmodSync(real, found.mode | (mode & 0o111))
  }
  undo.push(() => {
    if (before !== null) putFile(real, before, found.mode)
    else if (existsSync(real)) rmSync(real)
  })
}
