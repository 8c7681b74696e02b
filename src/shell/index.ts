import type { Act } from '../core/index.ts'
import { cut, opaque, type Reading, Unreadable } from './reading.ts'
import { newScope } from './scope.ts'
import { NOWHERE, WHOLE } from './spot.ts'
import { walkNested, walkText } from './walk.ts'

export { readPatch } from './patch.ts'

export interface ShellReading {
  readonly acts: readonly Act[]
  /** false: `acts` is one opaque act */
  readonly readable: boolean
}

/** What running this line in a POSIX-ish shell would do. Never throws. */
export function readShell(line: string, options?: { background?: boolean }): ShellReading {
  const reading: Reading = { acts: [], source: '', parsed: 0, depth: 0, walkNested, walkText }
  try {
    if (typeof line !== 'string') throw new Unreadable('no text')
    walkText(reading, line, newScope(), options?.background ? NOWHERE : WHOLE)
    return { acts: reading.acts, readable: true }
  } catch {
    return { acts: [opaque(typeof line === 'string' ? cut(line) : '')], readable: false }
  }
}
