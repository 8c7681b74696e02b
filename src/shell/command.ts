import type { Assignment, Command, SyntaxNode } from 'unbash'
import { forEachChild } from 'unbash'
import type { Act } from '../core/index.ts'
import { type Arg, literal } from './arg.ts'
import { DECLARES } from './builtin.ts'
import type { Assigns } from './call.ts'
import { sawCommand, sawOpening } from './cross-check.ts'
import { enter } from './descriptor.ts'
import { defer, evaluates } from './evaluated.ts'
import { cloud, isFoggyNumber, isFoggyText, isFoggyWord, isNumber, isRaw, noteName } from './fog.ts'
import { isQualifier } from './hidden.ts'
import { joinOther } from './join.ts'
import { charge, opaque, push, type Reading, Unreadable } from './reading.ts'
import { readRedirects, wordBefore } from './redirect.ts'
import { runSimple, type Simple } from './run.ts'
import { assign, fork, lookup, noteArray, noteHeld, type Scope, withoutVaried } from './scope.ts'
import { type Spot, unheard } from './spot.ts'
import { addOthers, unsplitWords } from './unsplit.ts'
import { readWhole, readWord } from './word.ts'

/** Reads one simple command. `timed` adds the act of the keyword `time`. */
export function readCommand(reading: Reading, node: Command, scope: Scope, spot: Spot, timed: boolean): void {
  const args: Arg[] = []
  const pending: SyntaxNode[] = []
  const via = reading.source.slice(node.pos, node.end)
  sawCommand(reading.check, node)
  const wasTainted = scope.tainted
  scope.tainted = false
  const assigns: Record<string, string | null> = {}
  let assigned = 0
  const numbers = new Set<string>()
  // each sees what those before it have set
  const front = node.prefix.length > 1 ? fork(scope) : scope
  for (const item of node.prefix) {
    if (item.type !== 'Assignment') continue
    const value = assignedValue(item, front, pending)
    assigns[item.name] = value
    assigned += 1
    if (mayBeFile(item, value)) front.tainted = true
    scope.tainted ||= front.tainted
    const counts = item.value.type === 'Word' && !item.append && item.index === undefined && isNumber(item.value)
    if (counts) numbers.add(item.name)
    else numbers.delete(item.name)
    if (front !== scope) assign(front, item.name, item.append ? null : value, counts)
    front.tainted = scope.tainted
  }
  // a builtin sees them where it takes a word for a number, and bash does where it expands the body of a heredoc
  for (const name in assigns) noteSeen(scope, name, numbers.has(name) ? '' : (assigns[name] ?? null))
  if (node.name !== undefined) readWord(node.name, scope, args, pending)
  // also behind others: `exec printf %d x`
  let counts = args.some(mayCount)
  for (const item of node.suffix) {
    if (item.type === 'Word') {
      const from = args.length
      readWord(item, scope, args, pending)
      const isUntold = args.slice(from).some(({ text }) => text === null)
      const isWild = isUntold && /(?<![$[{])[*?]/.test(item.text)
      if (isWild || (counts ? isFoggyNumber(item, scope) : isUntold && isFoggyText(item, scope)))
        args.push(...args.splice(from).map(arg => ({ ...arg, foggy: true })))
      counts ||= args.slice(from).some(mayCount)
    }
    if (item.type === 'Redirect' || item.type === 'HereString' || item.type === 'HereDoc') {
      const word = wordBefore(item, reading.source)
      if (word !== undefined) args.push(literal(word))
    }
    if (item.type === 'Assignment') {
      const value = assignedValue(item, scope, pending)
      if (isDeclaration(args[0])) {
        assigns[item.name] = value
        assigned += 1
      }
      const head = `${item.name}=`
      const list = item.value.type === 'ArrayValue'
      args.push(value === null ? { text: null, head, glob: false, loose: false, list } : literal(head + value))
    }
  }
  const files: Act[] = []
  const redirects = node.redirects
  if (redirects.length > 0 && namesDescriptor(node, reading.source)) throw new Unreadable('descriptor')
  const redirected = redirects.length === 0 ? undefined : readRedirects(redirects, scope, via, files, pending)
  // some text that nobody can read was evaluated
  if (scope.tainted) push(reading, opaque(via))
  scope.tainted ||= wasTainted
  const own: Spot = redirected?.stdin === undefined ? spot : { ...spot, stdin: redirected.stdin, piped: false }
  const between = pending.length === 0 ? undefined : () => walkPending(reading, pending, scope)
  const leave = enter(scope, redirected?.descriptors, keepsOpen(args))
  if (timed) push(reading, { action: 'run', words: timedWords(args), onlyReads: true, via })
  if (args.length > 0 || assigned > 0) {
    const shown: Assigns | undefined = assigned > 0 ? assigns : undefined
    const unsure = timed || (assigned > 0 && differs(node, via, scope))
    const simple = { args, assigns: shown, numbers, via, unsure }
    const unsplit = readUnsplit(reading, node, simple, scope, own)
    const from = reading.acts.length
    runSimple(reading, scope, simple, own, between)
    if (unsplit !== undefined) addOthers(reading, from, unsplit.acts)
    if (unsplit !== undefined) joinOther(scope, unsplit.before, unsplit.after)
  } else between?.()
  leave()
  for (const act of files) push(reading, act)
}

/** `x+=/f`, `x[1]=/f`: to dash no assignment, but the name of a file, in a folder that may be there, and it runs it. */
const mayBeFile = ({ append, index, value }: Assignment, text: string | null): boolean =>
  (append === true || index !== undefined) &&
  value.type === 'Word' &&
  (text === null ? /[/$`]/.test(value.text) && !isNumber(value) : text.includes('/'))

function noteSeen(scope: Scope, name: string, value: string | null): void {
  if (isRaw(value)) cloud(scope, name)
  if (/[A-Za-z_]/.test(value ?? '')) noteName(scope, name)
}

/** `{b[$(rm f)]}>f`: to bash the word is where the number of the descriptor is put, and its index is evaluated. */
const namesDescriptor = ({ name, suffix }: Command, source: string): boolean =>
  [name, ...suffix].some(
    word => word?.type === 'Word' && /^\{\w+\[.*\]\}$/s.test(word.text) && /[<>]/.test(source.charAt(word.end)),
  )

interface Unsplit {
  readonly acts: readonly Act[]
  readonly before: Scope
  readonly after: Scope
}

/** What zsh makes of the same words. */
function readUnsplit(reading: Reading, node: Command, simple: Simple, scope: Scope, spot: Spot): Unsplit | undefined {
  const args = unsplitWords(node, scope)
  if (args === undefined) return undefined
  const { witnessed, ...alone } = reading
  const acts: Act[] = []
  const before: Scope = { ...fork(scope), vars: withoutVaried(scope), whole: true }
  const after = { ...before }
  runSimple({ ...alone, acts, check: undefined }, after, { ...simple, args }, unheard(spot))
  return { acts, before, after }
}

/**
 * Dash takes `x+=a` for a command, `time` for a program and `$'` for a `$`; a file that is not there keeps the rest from being set;
 * and a value may be made of others that differ.
 */
const differs = (node: Command, via: string, { varied }: Scope): boolean =>
  node.redirects.length > 0 ||
  /\$['"]/.test(via) ||
  node.prefix.some(item => item.type === 'Assignment' && item.append) ||
  (varied.size > 0 && [...varied].some(name => new RegExp(`\\$\\{?${name}\\b`).test(via)))

/** Builtins that take some of their words for numbers. */
const COUNTS = new Set('printf print exit return shift break continue logout let'.split(' '))
const mayCount = ({ text }: Arg): boolean => text === null || COUNTS.has(text)

/** `exec 3<f`; behind `command` it is one too, and a word that cannot be told may be. */
function keepsOpen(args: readonly Arg[]): 'yes' | 'maybe' | 'no' {
  if (args[0]?.text === 'exec') return 'yes'
  return args[0]?.text === null || args.some(({ text }) => text === 'exec') ? 'maybe' : 'no'
}

/** Assignments in front of a program last only as long as it runs. */
const isDeclaration = (first: Arg | undefined): boolean =>
  first === undefined || (first.text !== null && DECLARES.has(first.text))

const timedWords = (args: readonly Arg[]) =>
  [literal('time'), ...args].map(({ text }) => ({
    text,
    role: text?.startsWith('-') ? ('option' as const) : ('plain' as const),
  }))

function assignedValue(item: Assignment, scope: Scope, pending: SyntaxNode[]): string | null {
  if (item.index !== undefined || item.value.type === 'ArrayValue') noteArray(scope, item.name)
  if (item.index !== undefined) defer(item.index, scope, pending)
  if (item.index !== undefined && isFoggyWord(item.index, scope)) scope.tainted = true
  if (item.value.type === 'ArrayValue') {
    defer(item.value, scope, pending)
    const elements: Arg[] = []
    for (const element of item.value.elements) readWord(element, fork(scope), elements, [])
    noteHeld(scope, item.name, elements)
    return null
  }
  // the right side is neither split nor globbed, so only a part that cannot be told makes it unknown
  const { text } = readWhole(item.value, scope, pending)
  if (item.index !== undefined || text === null || !item.append) return item.index === undefined ? text : null
  const before = lookup(scope, item.name)
  return before === null ? null : before + text
}

/** The same for words that are no command's: what they evaluate is an act of its own. */
export function walkWords(reading: Reading, nodes: readonly SyntaxNode[], scope: Scope): void {
  for (const node of nodes) {
    if (!evaluates(node, scope)) continue
    push(reading, opaque(reading.source.slice(node.pos, node.end)))
    scope.tainted = true
  }
  walkPending(reading, nodes, scope)
}

const RUNS: ReadonlySet<string> = new Set(['CommandExpansion', 'ProcessSubstitution'])

/** Walks the scripts inside words, in order, without recursing into long expressions. */
function walkPending(reading: Reading, nodes: readonly SyntaxNode[], scope: Scope): void {
  const stack = [...nodes].reverse()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'Script') {
      reading.walkNested(reading, node, fork(scope))
      continue
    }
    if (RUNS.has(node.type) && 'text' in node) charge(reading, node.text)
    if ('script' in node && node.script !== undefined) {
      const { source } = node.script
      sawOpening(reading.check, node.pos, source === reading.source ? undefined : source)
    }
    if (node.type === 'ExtendedGlob' && isQualifier(node.pattern)) push(reading, opaque(node.text))
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
