import type { PathRef } from '../match/path-ref.ts'
import type { Action } from '../model/action.ts'
import {
  type AttestedCommand,
  addAction,
  type EffectCollector,
  opaqueAction,
  UnreadableLineError,
} from './interpreter/effect-collector.ts'
import { STATUS_IGNORED, WHOLE_LINE } from './interpreter/pipeline-position.ts'
import { walkSubstitution, walkText } from './interpreter/walk-script.ts'
import { hasLaterAssignments } from './scope/merge-scopes.ts'
import { mayHideCode } from './scope/obfuscation.ts'
import { createLineHistory, createScope, type LineHistory } from './scope/scope.ts'

export type { AttestedCommand } from './interpreter/effect-collector.ts'
export { parsePatchActions } from './patch.ts'
export { actionsOfToolShape } from './tool-shape-actions.ts'

export interface ShellAnalysis {
  readonly acts: readonly Action[]
  /** false: `acts` is one opaque act */
  readonly readable: boolean
  /** commands that are run by `signalbox run` */
  readonly witnessed?: readonly AttestedCommand[]
}

export interface ShellOptions {
  /** nobody waits for the line, so its success proves nothing */
  readonly background?: boolean
  /** variables whose value is certain when the line begins */
  readonly vars?: Readonly<Record<string, string>>
}

const MAX_REREAD_LENGTH = 64 * 1024

/** What running this line in a POSIX-ish shell would do. Never throws. */
export function analyseShellLine(line: string, options?: ShellOptions): ShellAnalysis {
  try {
    if (typeof line !== 'string') throw new UnreadableLineError('no text')
    const doubtful = mayHideCode(line)
    const ever = createLineHistory()
    const first = analyseOnce(line, options, doubtful, ever)
    const isNew = first.unseen || hasLaterAssignments(ever)
    if (isNew && line.length > MAX_REREAD_LENGTH) throw new UnreadableLineError('too long to read again')
    // what nobody saw may change what everything else does, and what runs later meets what is set later
    const { acts, witnessed = [] } = isNew ? analyseOnce(line, options, doubtful || first.unseen, ever) : first
    return { acts, readable: true, ...(witnessed.length > 0 && { witnessed }) }
  } catch {
    return { acts: [opaqueAction(typeof line === 'string' ? line : '')], readable: false }
  }
}

function analyseOnce(
  line: string,
  options: ShellOptions | undefined,
  doubtful: boolean,
  ever: LineHistory,
): EffectCollector {
  const scope = createScope(new Map(Object.entries(options?.vars ?? {})), ever)
  scope.away = options?.background === true
  const reading = createCollector(line)
  if (doubtful) {
    addAction(reading, opaqueAction(line))
    scope.tainted = true
  }
  walkText(reading, line, scope, options?.background ? STATUS_IGNORED : WHOLE_LINE)
  for (const act of actionsOnFoundFiles(reading.acts, scope.finds)) addAction(reading, act)
  return reading
}

const createCollector = (line: string): EffectCollector => ({
  acts: [],
  witnessed: [],
  source: '',
  line,
  parsed: 0,
  depth: 0,
  check: undefined,
  unseen: false,
  differsByShell: false,
  walkNested: walkSubstitution,
  walkText,
})

/** `find d -name x | xargs rm`, `rm $(find d -name x)`: a file that cannot be told may be one that the line has searched for. */
function actionsOnFoundFiles(acts: readonly Action[], finds: readonly PathRef[]): readonly Action[] {
  if (finds.length === 0) return []
  const untold = acts.filter(({ action, place }) => (action === 'write' || action === 'delete') && isUnknownPath(place))
  const kinds = new Map(untold.map(act => [act.action, act]))
  const isKnown = (action: Action['action'], found: PathRef): boolean =>
    acts.some(
      ({ action: other, place }) => other === action && place?.lexical === found.lexical && place.named === found.named,
    )
  return [...kinds.values()].flatMap(act =>
    finds.filter(found => !isKnown(act.action, found)).map(place => ({ ...act, place })),
  )
}

const isUnknownPath = (place: PathRef | undefined): boolean => place?.lexical === null
