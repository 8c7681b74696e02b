import type { Act } from '../core/index.ts'
import { hidesCode } from './hidden.ts'
import { opaque, push, type Reading, Unreadable, type Witnessed } from './reading.ts'
import { newScope } from './scope.ts'
import { NOWHERE, WHOLE } from './spot.ts'
import { walkNested, walkText } from './walk.ts'

export { readPatch } from './patch.ts'
export type { Witnessed } from './reading.ts'
export { actsOfShape } from './tool.ts'

export interface ShellReading {
  readonly acts: readonly Act[]
  /** false: `acts` is one opaque act */
  readonly readable: boolean
  /** commands that are run by `signalbox run` */
  readonly witnessed?: readonly Witnessed[]
}

export interface ShellOptions {
  /** nobody waits for the line, so its success proves nothing */
  readonly background?: boolean
  /** variables whose value is certain when the line begins */
  readonly vars?: Readonly<Record<string, string>>
}

/** What running this line in a POSIX-ish shell would do. Never throws. */
export function readShell(line: string, options?: ShellOptions): ShellReading {
  const witnessed: Witnessed[] = []
  const reading: Reading = { acts: [], witnessed, source: '', parsed: 0, depth: 0, walkNested, walkText }
  try {
    if (typeof line !== 'string') throw new Unreadable('no text')
    const scope = newScope(new Map(Object.entries(options?.vars ?? {})))
    scope.away = options?.background === true
    if (hidesCode(line)) {
      push(reading, opaque(line))
      scope.tainted = true
    }
    walkText(reading, line, scope, options?.background ? NOWHERE : WHOLE)
    return { acts: reading.acts, readable: true, ...(witnessed.length > 0 && { witnessed }) }
  } catch {
    return { acts: [opaque(typeof line === 'string' ? line : '')], readable: false }
  }
}
