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
export function unsplitWords(
  { name, suffix }: Command,
  args: readonly Arg[],
  scope: Scope,
): readonly Arg[] | undefined {
  if (scope.varied.size === 0 && ![...scope.vars.values()].some(value => /\s/.test(value))) return undefined
  const whole: Scope = { ...fork(scope), vars: withoutVaried(scope), whole: true }
  const words: Arg[] = []
  if (name !== undefined) readWord(name, whole, words, [])
  for (const item of suffix) if (item.type === 'Word') readWord(item, whole, words, [])
  const isOther = words.some(({ text }) => (text === null || /\s/.test(text)) && !args.some(arg => arg.text === text))
  const program = words[0]?.text ?? ''
  return isOther && !(/\s/.test(program) && !program.includes('/')) ? words : undefined
}

/** Adds what happens only where values are not split: another program runs, or something else is done to a file. */
export function addOthers(reading: Reading, from: number, others: readonly Act[]): void {
  const known = new Set(reading.acts.slice(from).map(kindOf))
  for (const act of others) if (act.action !== 'read' && !known.has(kindOf(act))) push(reading, act)
}

const kindOf = ({ action, opaque, words }: Act): string => `${action} ${opaque === true} ${words?.[0]?.text ?? ''}`
