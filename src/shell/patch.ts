import type { Act } from '../core/act.ts'
import { cut, opaque } from './reading.ts'

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/

/** The file operations of an `apply_patch` text; a text that is none is one opaque act. */
export function readPatch(patch: string): readonly Act[] {
  if (typeof patch !== 'string' || !/^\s*\*\*\* Begin Patch\s*$/m.test(patch)) return [opaque('')]
  const acts: Act[] = []
  for (const line of patch.split('\n')) {
    const found = line.startsWith('*** ') ? HEADER.exec(line) : null
    const path = found?.[2]
    if (path === undefined) continue
    const via = cut(line.trimEnd())
    const place = { lexical: path }
    if (found?.[1] === 'Move to') moved(acts, via)
    acts.push({ action: found?.[1] === 'Delete File' ? 'delete' : 'write', place, via })
  }
  return acts.length > 0 ? acts : [opaque(cut(patch.trim()))]
}

/** A moved file leaves its old place. */
function moved(acts: Act[], via: string): void {
  const last = acts.at(-1)
  if (last?.action === 'write' && last.place !== undefined) acts.push({ action: 'delete', place: last.place, via })
}
