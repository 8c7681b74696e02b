import type { Assignment, Command, SyntaxNode, Word } from 'unbash'
import { forEachChild } from 'unbash'
import type { Action } from '../../model/event.ts'
import { type Arg, literalArg } from '../calls/argument.ts'
import { asDownload, hasFetch } from '../calls/program-call.ts'
import { enterRedirections } from '../scope/file-descriptors.ts'
import { mergeBranchScope } from '../scope/merge-scopes.ts'
import { forkScope } from '../scope/scope.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { isTaintedNumber, isTaintedText } from '../scope/taint.ts'
import { isCodeQualifier } from '../scope/variable-risk.ts'
import { assignedValue, type CommandAssignments, expandPrefixAssignments } from './assignments.ts'
import { DECLARATION_BUILTINS } from './builtin-effects.ts'
import {
  addAction,
  chargeParsing,
  crossCheckCommand,
  crossCheckSubstitution,
  type EffectCollector,
  madeBy,
  opaqueAction,
  UnreadableLineError,
} from './effect-collector.ts'
import { inputText, printedText } from './literal-output.ts'
import { addEmptiedActions, addUnsplitActions, hasPartlyUnknownKeyword, interpretUnsplit } from './other-readings.ts'
import { isOutputFileNamedAgain, type PipelinePosition } from './pipeline-position.ts'
import { descriptorWord, interpretRedirections } from './redirections.ts'
import { runSimpleCommand } from './run-command.ts'
import { applyWordEvaluation } from './word-evaluation.ts'
import { expandWord } from './word-expansion.ts'

/** The words and assignments of a command after expansion. */
interface ExpandedCommand {
  readonly args: Arg[]
  readonly assignments: CommandAssignments
  /** parts of the words that run something */
  readonly pending: SyntaxNode[]
}

/** Interprets one simple command. `timed` adds an action for the keyword `time`. */
export function interpretCommand(
  collector: EffectCollector,
  node: Command,
  scope: ShellScope,
  spot: PipelinePosition,
  timed: boolean,
): void {
  const via = collector.source.slice(node.pos, node.end)
  crossCheckCommand(collector.check, node)
  const wasTainted = scope.tainted
  scope.tainted = false
  const expanded = expandCommand(node, scope, collector.source)
  const { args, assignments, pending } = expanded
  const files: Action[] = []
  const { redirects } = node
  if (redirects.length > 0 && hasIndexedDescriptor(node, collector.source)) throw new UnreadableLineError('descriptor')
  const redirected = redirects.length === 0 ? undefined : interpretRedirections(redirects, scope, via, files, pending)
  // the words evaluated text that cannot be read
  if (scope.tainted) addAction(collector, opaqueAction(via))
  scope.tainted ||= wasTainted
  const own: PipelinePosition =
    redirected?.stdin === undefined
      ? spot
      : {
          ...spot,
          stdin: redirected.stdin,
          input: inputText(redirects),
          inputFile: files.find(isRead)?.place,
          piped: false,
          fetched: false,
        }
  const from = collector.acts.length
  const wasFed = scope.fed
  if (redirects.length > 0) scope.fed ||= isOutputFileNamedAgain(redirects, collector.line)
  const leave = redirected && enterRedirections(scope, redirected.descriptors, descriptorPersistence(args))
  // bash knows `time -p` only; where `time` is a program, its own options follow
  if (timed && args[0]?.head.startsWith('-')) args.unshift(literalArg('time'))
  else if (timed) addAction(collector, { action: 'run', words: timeCommandWords(args), onlyReads: true, via })
  const between = pending.length === 0 ? undefined : () => walkPendingOf(collector, expanded, scope)
  let run: Action | undefined
  if (args.length > 0 || assignments.count > 0) {
    const unsure = timed || (assignments.count > 0 && mayDifferByShell(node, via, scope))
    run = runExpanded(collector, node, { expanded, via, unsure, between }, scope, own)
  } else {
    between?.()
    // zsh runs the program in `NULLCMD` or `READNULLCMD`
    if (scope.tainted) addAction(collector, opaqueAction(via))
  }
  leave?.()
  scope.fed = wasFed
  const text = redirects.length === 0 || scope.functions.size > 0 ? undefined : printedText(node, spot.input)
  const isDownload = own.fetched || hasFetch(collector.acts, from)
  for (const act of files) {
    const filled = act.action === 'write' && text !== undefined ? { ...act, text } : act
    const written = isDownload ? asDownload(filled) : filled
    addAction(collector, run === undefined ? written : madeBy(written, run))
  }
}

const isRead = ({ action }: Action): boolean => action === 'read'

function expandCommand(node: Command, scope: ShellScope, source: string): ExpandedCommand {
  const args: Arg[] = []
  const pending: SyntaxNode[] = []
  const assignments: CommandAssignments = { values: {}, numbers: new Set(), count: 0 }
  if (node.prefix.length > 0) expandPrefixAssignments(node.prefix, assignments, scope, pending)
  if (node.name !== undefined) expandWord(node.name, scope, args, pending)
  // also behind another command: `exec printf %d x`
  let counts = args.some(mayCount)
  for (const item of node.suffix) {
    const from = args.length
    if (item.type === 'Word') {
      expandArgument(item, counts, args, scope, pending)
      counts ||= args.slice(from).some(mayCount)
    }
    if (item.type === 'Redirect' || item.type === 'HereString' || item.type === 'HereDoc') {
      const word = descriptorWord(item, source)
      if (word !== undefined) args.push(literalArg(word))
    }
    if (item.type === 'Assignment') args.push(expandAssignmentWord(item, args[0], assignments, scope, pending))
  }
  return { args, assignments, pending }
}

/** `counts`: the word may be read as a number. */
function expandArgument(word: Word, counts: boolean, args: Arg[], scope: ShellScope, pending: SyntaxNode[]): void {
  const from = args.length
  expandWord(word, scope, args, pending)
  const isUnknown = args.slice(from).some(({ text }) => text === null)
  const isWild = isUnknown && /(?<![$[{])[*?]/.test(word.text)
  if (isWild || (counts ? isTaintedNumber(word, scope) : isUnknown && isTaintedText(word, scope)))
    args.push(...args.splice(from).map(arg => ({ ...arg, tainted: true })))
}

/** `export a=b`: the word as an argument. Only declaration builtins keep the assignment. */
function expandAssignmentWord(
  item: Assignment,
  program: Arg | undefined,
  assignments: CommandAssignments,
  scope: ShellScope,
  pending: SyntaxNode[],
): Arg {
  const value = assignedValue(item, scope, pending)
  if (isDeclarationCommand(program)) {
    assignments.values[item.name] = value
    assignments.count += 1
  }
  const head = `${item.name}=`
  const list = item.value.type === 'ArrayValue'
  return value === null ? { text: null, head, glob: false, loose: false, list } : literalArg(head + value)
}

interface ExpandedRun {
  readonly expanded: ExpandedCommand
  readonly via: string
  /** true if some shells do not make these assignments */
  readonly unsure: boolean
  /** adds what the words run */
  readonly between: (() => void) | undefined
}

/** Runs the command, and once more as zsh runs it where that may differ. */
function runExpanded(
  collector: EffectCollector,
  node: Command,
  { expanded, via, unsure, between }: ExpandedRun,
  scope: ShellScope,
  spot: PipelinePosition,
): Action {
  const { values, numbers, count } = expanded.assignments
  const simple = { args: expanded.args, assigns: count > 0 ? values : undefined, numbers, via, unsure }
  const unsplit = maySplitValues(scope) ? interpretUnsplit(collector, node, simple, scope, spot) : undefined
  const from = collector.acts.length
  const before =
    simple.args.some(({ text }) => text === null) && hasPartlyUnknownKeyword(simple) ? { ...scope } : undefined
  const run = runSimpleCommand(collector, scope, simple, spot, between)
  if (before !== undefined) addEmptiedActions(collector, from, simple, before, spot)
  if (unsplit === undefined) return run
  addUnsplitActions(collector, from, unsplit.acts)
  mergeBranchScope(scope, unsplit.before, unsplit.after)
  return run
}

/** True if a value may be split into several words, or is not the same in every shell. */
const maySplitValues = ({ varied, vars }: ShellScope): boolean =>
  varied.size > 0 || [...vars.values()].some(value => /\s/.test(value))

function walkPendingOf(collector: EffectCollector, { args, pending }: ExpandedCommand, scope: ShellScope): void {
  walkPending(collector, pending, { ...scope, fed: scope.fed || !SHOWING_COMMANDS.has(args[0]?.text ?? '') })
}

/** `{b[$(rm f)]}>f`: bash stores the descriptor number in this array element, and evaluates the index. */
const hasIndexedDescriptor = ({ name, suffix }: Command, source: string): boolean =>
  [name, ...suffix].some(
    word => word?.type === 'Word' && /^\{\w+\[.*\]\}$/s.test(word.text) && /[<>]/.test(source.charAt(word.end)),
  )

/**
 * True if shells may disagree about the assignments. Dash reads `x+=a` as a command, `time` as a program and `$'` as a plain `$`.
 * A failed redirection prevents the assignments. A value may contain another variable that differs by shell.
 */
const mayDifferByShell = (node: Command, via: string, { varied }: ShellScope): boolean =>
  node.redirects.length > 0 ||
  /\$['"]/.test(via) ||
  node.prefix.some(item => item.type === 'Assignment' && item.append) ||
  (varied.size > 0 && [...varied].some(name => new RegExp(`\\$\\{?${name}\\b`).test(via)))

/** Commands that delete nothing, whatever words they get. */
const SHOWING_COMMANDS = new Set(['echo', 'printf', 'print', 'test', '['])

/** Builtins that read some of their words as numbers. */
const NUMBER_BUILTINS = new Set('printf print exit return shift break continue logout let'.split(' '))
const mayCount = ({ text }: Arg): boolean => text === null || NUMBER_BUILTINS.has(text)

/** `exec 3<f` keeps the descriptor open. `exec` may also follow `command`, or be an unknown word. */
function descriptorPersistence(args: readonly Arg[]): 'yes' | 'maybe' | 'no' {
  if (args[0]?.text === 'exec') return 'yes'
  return args[0]?.text === null || args.some(({ text }) => text === 'exec') ? 'maybe' : 'no'
}

/** Only declaration builtins keep assignments; in front of a program they last only while it runs. */
const isDeclarationCommand = (first: Arg | undefined): boolean =>
  first === undefined || (first.text !== null && DECLARATION_BUILTINS.has(first.text))

const timeCommandWords = (args: readonly Arg[]) =>
  [literalArg('time'), ...args].map(({ text }) => ({
    text,
    role: text?.startsWith('-') ? ('option' as const) : ('plain' as const),
  }))

/** Walks words that belong to no simple command. What they evaluate becomes an opaque action of its own. */
export function walkWords(collector: EffectCollector, nodes: readonly SyntaxNode[], scope: ShellScope): void {
  for (const node of nodes) {
    if (!applyWordEvaluation(node, scope)) continue
    addAction(collector, opaqueAction(collector.source.slice(node.pos, node.end)))
    scope.tainted = true
  }
  walkPending(collector, nodes, scope)
}

const COMMAND_NODES: ReadonlySet<string> = new Set(['CommandExpansion', 'ProcessSubstitution'])

/** Walks the scripts inside words in order, with a stack, so that long expressions do not overflow the call stack. */
function walkPending(collector: EffectCollector, nodes: readonly SyntaxNode[], scope: ShellScope): void {
  const stack = [...nodes].reverse()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'Script') {
      collector.walkNested(collector, node, forkScope(scope))
      continue
    }
    if (COMMAND_NODES.has(node.type) && 'text' in node) chargeParsing(collector, node.text)
    if ('script' in node && node.script !== undefined) {
      const { source } = node.script
      crossCheckSubstitution(collector.check, node.pos, source === collector.source ? undefined : source)
    }
    if (node.type === 'ExtendedGlob' && isCodeQualifier(node.pattern)) addAction(collector, opaqueAction(node.text))
    const from = stack.length
    forEachChild(node, child => {
      stack.push(child)
    })
    reverseFrom(stack, from)
  }
}

function reverseFrom(stack: SyntaxNode[], from: number): void {
  for (let low = from, high = stack.length - 1; low < high; low += 1, high -= 1) {
    const one = stack[low]
    const other = stack[high]
    if (one === undefined || other === undefined) return
    stack[low] = other
    stack[high] = one
  }
}
