import type { Command } from 'unbash'
import type { Act } from '../core/index.ts'
import type { Arg } from './arg.ts'
import { push, type Reading } from './reading.ts'
import { fork, type Scope, withoutVaried } from './scope.ts'
import { readWord } from './word.ts'

/**
 * The words as another shell reads them: zsh does not split the value of a variable (`x='echo; rm f'; bash -c $x`), and some
 * assignments are not made everywhere. Undefined where that makes no difference, or only gives a program a name that is not found.
 */
export function unsplitWords(node: Command, scope: Scope): readonly Arg[] | undefined {
  if (scope.varied.size === 0 && ![...scope.vars.values()].some(value => /\s/.test(value))) return undefined
  const words = wordsOf(node, { ...fork(scope), vars: withoutVaried(scope), whole: true })
  const split = wordsOf(node, fork(scope))
  const isSame = words.length === split.length && words.every(({ text }, at) => text === split[at]?.text)
  const program = words[0]?.text ?? ''
  return isSame || (/\s/.test(program) && !program.includes('/')) ? undefined : words
}

function wordsOf({ name, suffix }: Command, scope: Scope): readonly Arg[] {
  const words: Arg[] = []
  if (name !== undefined) readWord(name, scope, words, [])
  for (const item of suffix) if (item.type === 'Word') readWord(item, scope, words, [])
  return words
}

/** Adds what happens only where values are not split: another program runs, or something else is done to a file. */
export function addOthers(reading: Reading, from: number, others: readonly Act[]): void {
  const known = new Set(reading.acts.slice(from).map(kindOf))
  for (const act of others) if (act.action !== 'read' && !known.has(kindOf(act))) push(reading, act)
}

const kindOf = ({ action, opaque, onlyReads, words }: Act): string =>
  `${action} ${opaque === true} ${onlyReads === true} ${words?.[0]?.text ?? ''}`
