import type { Assignment, Command, SyntaxNode } from 'unbash'
import { type Arg, type Assignments, literalArg, UNKNOWN_ARG } from '../calls/argument.ts'
import { addFileAction, addOpaqueAction, type ProgramCall } from '../calls/program-call.ts'
import {
  assignVariable,
  forkScope,
  isEvaluatedOnAssignment,
  lookupVariable,
  markArray,
  maybeAssignVariable,
  notePossibleValues,
} from '../scope/scope.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { isNumericWord, isTaintedWord, mayHoldIndex, noteNameValue, taintVariable } from '../scope/taint.ts'
import { isOutputFileVariable, isZshTable } from '../scope/variable-risk.ts'
import { deferEvaluation } from './word-evaluation.ts'
import { expandUnsplitWord, expandWord } from './word-expansion.ts'

/** An assignment in front of these builtins persists in dash, as POSIX requires. In bash it ends with the builtin. */
export const POSIX_SPECIAL_BUILTINS = new Set(
  ': . break continue eval exec exit export readonly return set shift times trap unset'.split(' '),
)

/** The assignments of one command. */
export interface CommandAssignments {
  readonly values: Record<string, string | null>
  /** names in `values` whose value is a number, even if unknown */
  readonly numbers: Set<string>
  count: number
}

/** Expands the assignments in front of a command. Each sees the assignments before it. */
export function expandPrefixAssignments(
  prefix: Command['prefix'],
  made: CommandAssignments,
  scope: ShellScope,
  pending: SyntaxNode[],
): void {
  const front = prefix.length > 1 ? forkScope(scope) : scope
  for (const item of prefix) {
    if (item.type !== 'Assignment') continue
    const value = assignedValue(item, front, pending)
    made.values[item.name] = value
    made.count += 1
    if (mayBeFile(item, value)) front.tainted = true
    scope.tainted ||= front.tainted
    const isNumber = item.value.type === 'Word' && !item.append && item.index === undefined && isNumericWord(item.value)
    if (isNumber) made.numbers.add(item.name)
    else made.numbers.delete(item.name)
    if (front !== scope) assignVariable(front, item.name, item.append ? null : value, isNumber)
    front.tainted = scope.tainted
  }
  // builtins that read a word as a number see these assignments, and so does bash when it expands a heredoc body
  for (const name in made.values) noteSeen(scope, name, made.numbers.has(name) ? '' : (made.values[name] ?? null))
}

/** `x+=/f`, `x[1]=/f`: dash does not read this as an assignment but as a program path, and runs that file if it exists. */
const mayBeFile = ({ append, index, value }: Assignment, text: string | null): boolean =>
  (append === true || index !== undefined) &&
  value.type === 'Word' &&
  (text === null ? /[/$`]/.test(value.text) && !isNumericWord(value) : text.includes('/'))

function noteSeen(scope: ShellScope, name: string, value: string | null): void {
  if (mayHoldIndex(value)) taintVariable(scope, name)
  if (/[A-Za-z_]/.test(value ?? '')) noteNameValue(scope, name)
}

/** The value that is assigned; null if it is unknown. */
export function assignedValue(item: Assignment, scope: ShellScope, pending: SyntaxNode[]): string | null {
  if (item.index !== undefined || item.value.type === 'ArrayValue') {
    markArray(scope, item.name)
    // zsh: an entry defines a function, an alias or a program, sets an option, or writes a file
    scope.tainted ||= isZshTable(item.name)
  }
  if (item.index !== undefined) deferEvaluation(item.index, scope, pending)
  if (item.index !== undefined && isTaintedWord(item.index, scope)) scope.tainted = true
  if (item.value.type === 'ArrayValue') {
    deferEvaluation(item.value, scope, pending)
    const elements: Arg[] = []
    for (const element of item.value.elements) expandWord(element, forkScope(scope), elements, [])
    notePossibleValues(scope, item.name, elements)
    return null
  }
  // the right side is neither split nor globbed, so only an unknown part makes the value unknown
  const { text } = expandUnsplitWord(item.value, scope, pending)
  if (item.index !== undefined || text === null || !item.append) return item.index === undefined ? text : null
  const before = lookupVariable(scope, item.name)
  return before === null ? null : before + text
}

interface AssigningCommand {
  readonly args: readonly Arg[]
  readonly numbers?: ReadonlySet<string>
  /** true if some shells do not make these assignments */
  readonly unsure?: boolean
}

/** The only declaration builtins that dash knows. */
const PORTABLE_DECLARATIONS = new Set(['export', 'readonly'])

/** Makes the assignments of a command that keeps them. `declared`: the assignments of a declaration builtin. */
export function applyAssignments(
  { program, scope, assigns }: ProgramCall,
  { args, numbers, unsure }: AssigningCommand,
  declared: Assignments | undefined,
): void {
  const isPlain = PORTABLE_DECLARATIONS.has(program) && !args.some(({ head }) => /^[-+]/.test(head))
  for (const name in assigns) {
    const isSure = !unsure && (args.length === 0 || (isPlain && Object.hasOwn(declared ?? {}, name)))
    const set = isSure ? assignVariable : maybeAssignVariable
    set(scope, name, assigns[name] ?? null, numbers?.has(name))
  }
}

/** Effects of the assignment itself: an integer variable evaluates its value, and a program may write to the file that a variable names. */
export function addAssignmentEffects(call: ProgramCall, assigns: Assignments | undefined): void {
  for (const name in assigns) {
    const value = assigns[name] ?? null
    if (isEvaluatedOnAssignment(call.scope, name, value)) addOpaqueAction(call)
    if (isOutputFileVariable(name, value))
      addFileAction(call, 'write', value === null ? UNKNOWN_ARG : literalArg(value))
  }
}
