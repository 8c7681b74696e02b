import type { Command } from 'unbash'
import type { Action } from '../../model/event.ts'
import { type Arg, literalArg } from '../calls/argument.ts'
import { forkScope, portableVariables } from '../scope/scope.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { addAction, type EffectCollector } from './effect-collector.ts'
import { type PipelinePosition, withoutStatus } from './pipeline-position.ts'
import { runSimpleCommand, type SimpleCommand } from './run-command.ts'
import { expandWord } from './word-expansion.ts'

interface UnsplitResult {
  readonly acts: readonly Action[]
  readonly before: ShellScope
  readonly after: ShellScope
}

/** Interprets the same command as zsh does, without splitting variable values. Undefined if its words are the same. */
export function interpretUnsplit(
  collector: EffectCollector,
  node: Command,
  simple: SimpleCommand,
  scope: ShellScope,
  spot: PipelinePosition,
): UnsplitResult | undefined {
  const args = unsplitWords(node, scope)
  if (args === undefined) return undefined
  const { attested, ...alone } = collector
  const acts: Action[] = []
  const before: ShellScope = { ...forkScope(scope), vars: portableVariables(scope), whole: true }
  const after = { ...before }
  runSimpleCommand({ ...alone, acts, check: undefined }, after, { ...simple, args }, withoutStatus(spot))
  return { acts, before, after }
}

/**
 * The words as another shell expands them: zsh does not split variable values (`x='echo; rm f'; bash -c $x`), and some assignments
 * are not made in every shell. Undefined if the words are equal, or if the only difference is a program name that does not exist.
 */
function unsplitWords(node: Command, scope: ShellScope): readonly Arg[] | undefined {
  const words = expandWords(node, { ...forkScope(scope), vars: portableVariables(scope), whole: true })
  const split = expandWords(node, forkScope(scope))
  const isSame = words.length === split.length && words.every(({ text }, at) => text === split[at]?.text)
  const program = words[0]?.text ?? ''
  return isSame || (/\s/.test(program) && !program.includes('/')) ? undefined : words
}

function expandWords({ name, suffix }: Command, scope: ShellScope): readonly Arg[] {
  const words: Arg[] = []
  if (name !== undefined) expandWord(name, scope, words, [])
  for (const item of suffix) if (item.type === 'Word') expandWord(item, scope, words, [])
  return words
}

/** Adds the actions that happen only without splitting: a different program, or a different action on a file. */
export function addUnsplitActions(collector: EffectCollector, from: number, others: readonly Action[]): void {
  const known = new Set(collector.acts.slice(from).map(actionKey))
  for (const act of others) if (act.action !== 'read' && !known.has(actionKey(act))) addAction(collector, act)
}

const actionKey = ({ action, opaque, onlyReads, words }: Action): string =>
  `${action} ${opaque === true} ${onlyReads === true} ${words?.[0]?.text ?? ''}`

/** Words that may be a verb, an option or a setting. Other words are text or a path, which the first reading covers. */
const KEYWORD = /^(?:-\S*|\w+=\S*|[\w.:;,@%+{}-]+)$/

/** An option whose whole value is unknown, as in `-n"$x"`, is no such word: its description says what an empty value means. */
const isCut = ({ text, head, known, glob }: Arg): boolean =>
  text === null && !glob && known !== undefined && KEYWORD.test(known) && !(known === head && /^-\w$/.test(head))

export const hasPartlyUnknownKeyword = ({ args }: SimpleCommand): boolean => args.some(isCut)

/**
 * Interprets the command once more as if the unknown parts of its words were empty: `tar "c${x}f" a b` then writes `a`, and
 * `dd "o${x}f=a"` too. Adds the actions that only this reading has.
 */
export function addEmptiedActions(
  collector: EffectCollector,
  from: number,
  simple: SimpleCommand,
  scope: ShellScope,
  spot: PipelinePosition,
): void {
  const { attested, ...alone } = collector
  const acts: Action[] = []
  const args = simple.args.map(arg => (isCut(arg) ? literalArg(arg.known ?? '') : arg))
  runSimpleCommand({ ...alone, acts, check: undefined }, forkScope(scope), { ...simple, args }, withoutStatus(spot))
  const known = new Set(collector.acts.slice(from).map(effectKey))
  for (const act of acts)
    if (!/^(read|fetch)$/.test(act.action) && !known.has(effectKey(act))) addAction(collector, act)
}

const effectKey = ({ action, opaque, onlyReads, words, place }: Action): string =>
  [action, opaque === true, onlyReads === true, words?.[0]?.text, place?.lexical, place?.whole].join(' ')
