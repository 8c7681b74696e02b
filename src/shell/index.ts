import type { Act } from '../core/index.ts'
import type { Place } from '../pattern/index.ts'
import { hidesCode } from './hidden.ts'
import { missesSome } from './join.ts'
import { opaque, push, type Reading, Unreadable, type Witnessed } from './reading.ts'
import { type Ever, newEver, newScope } from './scope.ts'
import { NOWHERE, WHOLE } from './spot.ts'
import { walkNested, walkText } from './walk.ts'

export { actsOfShape } from './inferred-acts.ts'
export { readPatch } from './patch.ts'
export type { Witnessed } from './reading.ts'

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

const MOST_TWICE = 64 * 1024

/** What running this line in a POSIX-ish shell would do. Never throws. */
export function readShell(line: string, options?: ShellOptions): ShellReading {
  try {
    if (typeof line !== 'string') throw new Unreadable('no text')
    const doubtful = hidesCode(line)
    const ever = newEver()
    const first = read(line, options, doubtful, ever)
    const isNew = first.unseen || missesSome(ever)
    if (isNew && line.length > MOST_TWICE) throw new Unreadable('too long to read again')
    // what nobody saw may change what everything else does, and what runs later meets what is set later
    const { acts, witnessed = [] } = isNew ? read(line, options, doubtful || first.unseen, ever) : first
    return { acts, readable: true, ...(witnessed.length > 0 && { witnessed }) }
  } catch {
    return { acts: [opaque(typeof line === 'string' ? line : '')], readable: false }
  }
}

function read(line: string, options: ShellOptions | undefined, doubtful: boolean, ever: Ever): Reading {
  const scope = newScope(new Map(Object.entries(options?.vars ?? {})), ever)
  scope.away = options?.background === true
  const reading = newReading(line)
  if (doubtful) {
    push(reading, opaque(line))
    scope.tainted = true
  }
  walkText(reading, line, scope, options?.background ? NOWHERE : WHOLE)
  for (const act of foundActs(reading.acts, scope.finds)) push(reading, act)
  return reading
}

const newReading = (line: string): Reading => ({
  acts: [],
  witnessed: [],
  source: '',
  line,
  parsed: 0,
  depth: 0,
  check: undefined,
  unseen: false,
  differsByShell: false,
  walkNested,
  walkText,
})

/** `find d -name x | xargs rm`, `rm $(find d -name x)`: a file that cannot be told may be one that the line has searched for. */
function foundActs(acts: readonly Act[], finds: readonly Place[]): readonly Act[] {
  if (finds.length === 0) return []
  const untold = acts.filter(({ action, place }) => (action === 'write' || action === 'delete') && isUntold(place))
  const kinds = new Map(untold.map(act => [act.action, act]))
  const isKnown = (action: Act['action'], found: Place): boolean =>
    acts.some(
      ({ action: other, place }) => other === action && place?.lexical === found.lexical && place.named === found.named,
    )
  return [...kinds.values()].flatMap(act =>
    finds.filter(found => !isKnown(act.action, found)).map(place => ({ ...act, place })),
  )
}

const isUntold = (place: Place | undefined): boolean => place?.lexical === null
