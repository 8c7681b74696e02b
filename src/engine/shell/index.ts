import { hasErrorCode } from '../../lib/errors.ts'
import type { PathRef } from '../match/path-ref.ts'
import type { Action } from '../model/event.ts'
import { withoutDoubtfulProofs } from './calls/changed-settings.ts'
import {
  type AttestedCommand,
  addAction,
  type EffectCollector,
  opaqueAction,
  UnreadableLineError,
} from './interpreter/effect-collector.ts'
import { STATUS_IGNORED, WHOLE_LINE } from './interpreter/pipeline-position.ts'
import { walkSubstitution, walkText } from './interpreter/walk-script.ts'
import { MAX_FINDS } from './scope/path-resolution.ts'
import { createLineHistory, createScope, hasLaterAssignments } from './scope/scope.ts'
import type { LineHistory } from './scope/shell-scope.ts'
import { mayHideCode } from './scope/variable-risk.ts'

export type { AttestedCommand } from './interpreter/effect-collector.ts'
export { parsePatchActions } from './patch.ts'
export { actionsOfToolShape } from './tool-shape-actions.ts'

export interface ShellAnalysis {
  readonly acts: readonly Action[]
  /** false: the line cannot be read, and `acts` is one opaque action */
  readonly readable: boolean
  /** commands that `signalbox run` runs and attests */
  readonly attested?: readonly AttestedCommand[]
}

export interface ShellOptions {
  /** nothing waits for the line, so its success proves nothing */
  readonly background?: boolean
  /** variables with a certain value when the line begins */
  readonly vars?: Readonly<Record<string, string>>
}

const MAX_REREAD_LENGTH = 64 * 1024

/** Code that hides in a word needs one of these. */
const MAY_EVALUATE = /[$`@]/

/** Analyses what a line does in a POSIX-like shell (bash, dash or zsh). Throws only if a file of the program is missing. */
export function analyseShellLine(line: string, options?: ShellOptions): ShellAnalysis {
  try {
    if (typeof line !== 'string') throw new UnreadableLineError('no text')
    const doubtful = MAY_EVALUATE.test(line) && mayHideCode(line)
    const ever = createLineHistory()
    const first = analyseOnce(line, options, doubtful, ever)
    const isNew = first.unseen || hasLaterAssignments(ever)
    if (isNew && line.length > MAX_REREAD_LENGTH) throw new UnreadableLineError('too long to read again')
    // unwalked code may affect every other command, and code that runs later may see later assignments
    const { acts, attested: runs = [] } = isNew ? analyseOnce(line, options, doubtful || first.unseen, ever) : first
    // a check proves nothing in a line that also does something else to what it checks
    const settled = acts.length > 1 ? (own: readonly Action[]) => withoutDoubtfulProofs(own, acts) : asTheyAre
    const attested = runs.map(run => ({ ...run, acts: settled(run.acts) }))
    return { acts: settled(acts), readable: true, ...(attested.length > 0 && { attested }) }
  } catch (error) {
    // not a line that nobody can read: without its tables the reader has judged nothing
    if (hasErrorCode(error, 'MODULE_NOT_FOUND')) throw error
    return { acts: [opaqueAction(typeof line === 'string' ? line : '')], readable: false }
  }
}

/** What a line of PowerShell does, as far as it can be told. Never empty. */
export function analysePowershellLine(line: string): readonly Action[] {
  const { acts } = analyseShellLine(`pwsh -c '${line.replaceAll("'", "'\\''")}'`)
  const own = acts.filter(({ words }) => words?.[0]?.text !== 'pwsh').map(act => ({ ...act, via: line }))
  return own.length > 0 ? own : [opaqueAction(line)]
}

const asTheyAre = (acts: readonly Action[]): readonly Action[] => acts

function analyseOnce(
  line: string,
  options: ShellOptions | undefined,
  doubtful: boolean,
  ever: LineHistory,
): EffectCollector {
  const scope = createScope(new Map(Object.entries(options?.vars ?? {})), ever)
  scope.away = options?.background === true
  const collector = createCollector(line)
  if (doubtful) {
    addAction(collector, opaqueAction(line))
    scope.tainted = true
  }
  walkText(collector, line, scope, options?.background ? STATUS_IGNORED : WHOLE_LINE)
  if (ever.evaluates) addAction(collector, opaqueAction(line))
  if (Math.max(scope.finds.length, scope.listings.length) > MAX_FINDS) throw new UnreadableLineError('too many results')
  const found = actionsOnFoundFiles(collector.acts, scope.finds)
  const listed = actionsOnFoundFiles(actsOnListedFiles(collector.acts), scope.listings)
  for (const act of [...found, ...listed]) addAction(collector, act)
  return collector
}

const createCollector = (line: string): EffectCollector => ({
  acts: [],
  attested: [],
  source: '',
  line,
  parsed: 0,
  depth: 0,
  guesses: 0,
  check: undefined,
  unseen: false,
  differsByShell: false,
  walkNested: walkSubstitution,
  walkText,
})

/** `find d -name x | xargs rm`, `rm $(find d -name x)`: an unknown file may be a result of a search in the line. */
function actionsOnFoundFiles(acts: readonly Action[], finds: readonly PathRef[]): readonly Action[] {
  if (finds.length === 0) return []
  const unknown = acts.filter(
    ({ action, place }) => (action === 'write' || action === 'delete') && isUnknownPath(place),
  )
  const kinds = new Map(unknown.map(act => [act.action, act]))
  const isKnown = (action: Action['action'], found: PathRef): boolean =>
    acts.some(
      ({ action: other, place }) => other === action && place?.lexical === found.lexical && place.named === found.named,
    )
  return [...kinds.values()].flatMap(act =>
    finds.filter(found => !isKnown(act.action, found)).map(place => ({ ...act, place })),
  )
}

/** `ls -A | xargs rm`, `git ls-files -o | xargs truncate -s0`, `ls -A | sed 's/^/rm /' | sh`: what may change the files of a list. */
const actsOnListedFiles = (acts: readonly Action[]): readonly Action[] =>
  acts.flatMap(act => {
    const { via = '' } = act
    if (act.opaque) return SHELL_ON_INPUT.test(via) ? [{ action: 'delete', place: { lexical: null }, via }] : []
    return act.action === 'delete' || (act.action === 'write' && mayTakeListedWord(via)) ? [act] : []
  })

const SHELL_ON_INPUT = /^\s*(?:(?:sudo|env|command|exec|nice|time)\s+)*(?:\S*\/)?(?:ba|da|z|k|a|mk)?sh(?:\s+-\w*)*\s*$/

/**
 * True if a word of the command may be one of the list as it is: `xargs truncate`, `: > "$f"`. In `cp "$f" "/tmp/$f"` a folder stands
 * in front of it. An editor that replaces text changes only files that hold the text.
 */
const mayTakeListedWord = (via: string): boolean =>
  /\b(?:xargs|parallel)\b|\$\(|`|(?:^|[\s>"'])\$\{?\w+\}?["']?(?:\s|$)/.test(via) &&
  !/[\w.]\/["']?(?:\$|\{\}|`)/.test(via) &&
  !/\b(?:sed|perl|prettier|eslint|biome|black|ruff|gofmt|rustfmt|clang-format)\b/.test(via)

const isUnknownPath = (place: PathRef | undefined): boolean => place?.lexical === null
