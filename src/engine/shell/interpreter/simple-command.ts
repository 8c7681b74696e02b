import type { Assignment, Command, SyntaxNode } from 'unbash'
import { forEachChild } from 'unbash'
import type { Action } from '../../model/event.ts'
import type { Assignments } from '../calls/argument.ts'
import { type Arg, literalArg } from '../calls/argument.ts'
import { enterRedirections } from '../scope/file-descriptors.ts'
import { mergeBranchScope } from '../scope/merge-scopes.ts'
import {
  assignVariable,
  forkScope,
  lookupVariable,
  markArray,
  notePossibleValues,
  portableVariables,
} from '../scope/scope.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import {
  isNumericWord,
  isTaintedNumber,
  isTaintedText,
  isTaintedWord,
  mayHoldIndex,
  noteNameValue,
  taintVariable,
} from '../scope/taint.ts'
import { isCodeQualifier, isZshTable } from '../scope/variable-risk.ts'
import { DECLARATION_BUILTINS } from './builtin-effects.ts'
import {
  addAction,
  chargeParsing,
  crossCheckCommand,
  crossCheckSubstitution,
  type EffectCollector,
  opaqueAction,
  UnreadableLineError,
} from './effect-collector.ts'
import { isStoredList, type PipelinePosition, withoutStatus } from './pipeline-position.ts'
import { descriptorWord, interpretRedirections } from './redirections.ts'
import { runSimpleCommand, type SimpleCommand } from './run-command.ts'
import { addUnsplitActions, unsplitWords } from './unsplit-words.ts'
import { applyWordEvaluation, deferEvaluation } from './word-evaluation.ts'
import { expandUnsplitWord, expandWord } from './word-expansion.ts'

/** Interprets one simple command. `timed` adds an action for the keyword `time`. */
export function interpretCommand(
  reading: EffectCollector,
  node: Command,
  scope: ShellScope,
  spot: PipelinePosition,
  timed: boolean,
): void {
  const args: Arg[] = []
  const pending: SyntaxNode[] = []
  const via = reading.source.slice(node.pos, node.end)
  crossCheckCommand(reading.check, node)
  const wasTainted = scope.tainted
  scope.tainted = false
  const assigns: Record<string, string | null> = {}
  let assigned = 0
  const numbers = new Set<string>()
  // each assignment sees the assignments before it
  const front = node.prefix.length > 1 ? forkScope(scope) : scope
  for (const item of node.prefix) {
    if (item.type !== 'Assignment') continue
    const value = assignedValue(item, front, pending)
    assigns[item.name] = value
    assigned += 1
    if (mayBeFile(item, value)) front.tainted = true
    scope.tainted ||= front.tainted
    const counts = item.value.type === 'Word' && !item.append && item.index === undefined && isNumericWord(item.value)
    if (counts) numbers.add(item.name)
    else numbers.delete(item.name)
    if (front !== scope) assignVariable(front, item.name, item.append ? null : value, counts)
    front.tainted = scope.tainted
  }
  // builtins that read a word as a number see these assignments, and so does bash when it expands a heredoc body
  for (const name in assigns) noteSeen(scope, name, numbers.has(name) ? '' : (assigns[name] ?? null))
  if (node.name !== undefined) expandWord(node.name, scope, args, pending)
  // also behind another command: `exec printf %d x`
  let counts = args.some(mayCount)
  for (const item of node.suffix) {
    if (item.type === 'Word') {
      const from = args.length
      expandWord(item, scope, args, pending)
      const isUntold = args.slice(from).some(({ text }) => text === null)
      const isWild = isUntold && /(?<![$[{])[*?]/.test(item.text)
      if (isWild || (counts ? isTaintedNumber(item, scope) : isUntold && isTaintedText(item, scope)))
        args.push(...args.splice(from).map(arg => ({ ...arg, foggy: true })))
      counts ||= args.slice(from).some(mayCount)
    }
    if (item.type === 'Redirect' || item.type === 'HereString' || item.type === 'HereDoc') {
      const word = descriptorWord(item, reading.source)
      if (word !== undefined) args.push(literalArg(word))
    }
    if (item.type === 'Assignment') {
      const value = assignedValue(item, scope, pending)
      if (isDeclarationCommand(args[0])) {
        assigns[item.name] = value
        assigned += 1
      }
      const head = `${item.name}=`
      const list = item.value.type === 'ArrayValue'
      args.push(value === null ? { text: null, head, glob: false, loose: false, list } : literalArg(head + value))
    }
  }
  const files: Action[] = []
  const redirects = node.redirects
  if (redirects.length > 0 && hasIndexedDescriptor(node, reading.source)) throw new UnreadableLineError('descriptor')
  const redirected = redirects.length === 0 ? undefined : interpretRedirections(redirects, scope, via, files, pending)
  // the words evaluated text that cannot be read
  if (scope.tainted) addAction(reading, opaqueAction(via))
  scope.tainted ||= wasTainted
  const own: PipelinePosition =
    redirected?.stdin === undefined ? spot : { ...spot, stdin: redirected.stdin, piped: false }
  const between =
    pending.length === 0
      ? undefined
      : () => walkPending(reading, pending, { ...scope, fed: scope.fed || !SHOWING_COMMANDS.has(args[0]?.text ?? '') })
  const wasFed = scope.fed
  if (redirects.length > 0) scope.fed ||= isStoredList(redirects, reading.line)
  const leave = enterRedirections(scope, redirected?.descriptors, descriptorPersistence(args))
  if (timed) addAction(reading, { action: 'run', words: timeCommandWords(args), onlyReads: true, via })
  if (args.length > 0 || assigned > 0) {
    const shown: Assignments | undefined = assigned > 0 ? assigns : undefined
    const unsure = timed || (assigned > 0 && mayDifferByShell(node, via, scope))
    const simple = { args, assigns: shown, numbers, via, unsure }
    const unsplit = interpretUnsplit(reading, node, simple, scope, own)
    const from = reading.acts.length
    runSimpleCommand(reading, scope, simple, own, between)
    if (unsplit !== undefined) addUnsplitActions(reading, from, unsplit.acts)
    if (unsplit !== undefined) mergeBranchScope(scope, unsplit.before, unsplit.after)
  } else between?.()
  leave()
  scope.fed = wasFed
  for (const act of files) addAction(reading, act)
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

/** `{b[$(rm f)]}>f`: bash stores the descriptor number in this array element, and evaluates the index. */
const hasIndexedDescriptor = ({ name, suffix }: Command, source: string): boolean =>
  [name, ...suffix].some(
    word => word?.type === 'Word' && /^\{\w+\[.*\]\}$/s.test(word.text) && /[<>]/.test(source.charAt(word.end)),
  )

interface UnsplitResult {
  readonly acts: readonly Action[]
  readonly before: ShellScope
  readonly after: ShellScope
}

/** Interprets the same command as zsh does, without splitting variable values. */
function interpretUnsplit(
  reading: EffectCollector,
  node: Command,
  simple: SimpleCommand,
  scope: ShellScope,
  spot: PipelinePosition,
): UnsplitResult | undefined {
  const args = unsplitWords(node, scope)
  if (args === undefined) return undefined
  const { witnessed, ...alone } = reading
  const acts: Action[] = []
  const before: ShellScope = { ...forkScope(scope), vars: portableVariables(scope), whole: true }
  const after = { ...before }
  runSimpleCommand({ ...alone, acts, check: undefined }, after, { ...simple, args }, withoutStatus(spot))
  return { acts, before, after }
}

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

function assignedValue(item: Assignment, scope: ShellScope, pending: SyntaxNode[]): string | null {
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

/** Walks words that belong to no simple command. What they evaluate becomes an opaque action of its own. */
export function walkWords(reading: EffectCollector, nodes: readonly SyntaxNode[], scope: ShellScope): void {
  for (const node of nodes) {
    if (!applyWordEvaluation(node, scope)) continue
    addAction(reading, opaqueAction(reading.source.slice(node.pos, node.end)))
    scope.tainted = true
  }
  walkPending(reading, nodes, scope)
}

const COMMAND_NODES: ReadonlySet<string> = new Set(['CommandExpansion', 'ProcessSubstitution'])

/** Walks the scripts inside words in order, with a stack, so that long expressions do not overflow the call stack. */
function walkPending(reading: EffectCollector, nodes: readonly SyntaxNode[], scope: ShellScope): void {
  const stack = [...nodes].reverse()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'Script') {
      reading.walkNested(reading, node, forkScope(scope))
      continue
    }
    if (COMMAND_NODES.has(node.type) && 'text' in node) chargeParsing(reading, node.text)
    if ('script' in node && node.script !== undefined) {
      const { source } = node.script
      crossCheckSubstitution(reading.check, node.pos, source === reading.source ? undefined : source)
    }
    if (node.type === 'ExtendedGlob' && isCodeQualifier(node.pattern)) addAction(reading, opaqueAction(node.text))
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
