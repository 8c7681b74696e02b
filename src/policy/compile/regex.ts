import type { Regex } from '../../pattern/index.ts'
import { isKnownRegex } from '../ahead.ts'
import { type Context, complain, type Key, warn } from './context.ts'

/** What keeps the engine from running it, in words, or null. */
export function regexFault({ input, notes: { limits } }: Context, pattern: string): string | null {
  limits?.spend('regexes', 1)
  const fault = input.checkRegex(pattern)
  if (fault === null) limits?.spend('instructions', input.regex.size?.(pattern) ?? 0)
  if (fault === null) return null
  const foreign = FOREIGN.find(([syntax]) => syntax.test(pattern))
  if (!foreign) return `\`${pattern}\` is not a regex: ${fault}`
  const [syntax, words] = foreign
  return `\`${pattern}\` cannot be used: ${words.replace('$', () => `\`${syntax.exec(pattern)?.[0]}\``)}`
}

/** What other engines know: said in plain words, since to its author it is a regex. */
const FOREIGN: readonly (readonly [syntax: RegExp, words: string])[] = [
  [/\(\?<?[=!]/, 'look-around ($) is not supported, since every regex runs in linear time'],
  [/\\[1-9]|\(\?P=\w*\)?|\\k[<{']/, 'a back-reference ($) is not supported, since every regex runs in linear time'],
  [/\(\?>|[*+?}]\+/, 'a possessive match ($) is not supported'],
  [/\\Z/, '$ is written `\\z` here'],
]

/** False, with a problem noted, when the engine cannot run it. */
export function isRegex(context: Context, holder: object, key: Key, pattern: string): boolean {
  if (isKnownRegex(pattern)) return true
  const fault = regexFault(context, pattern)
  if (fault !== null) complain(context, holder, key, fault)
  else weigh(context, holder, key, pattern)
  return fault === null
}

const SHORT_REACH = 10_000
const reachOf = (regex: Regex, pattern: string): number => regex.reach?.(pattern) ?? SHORT_REACH

export const isSwift = (regex: Regex, pattern: string): boolean => reachOf(regex, pattern) >= SHORT_REACH

/** Repeats in braces are written out: one inside another makes a long program of a short pattern. */
function weigh(context: Context, holder: object, key: Key, pattern: string): void {
  const { regex } = context.input
  if (isSwift(regex, pattern)) return
  const what = `\`${pattern}\` is slow: it is run on the first ${reachOf(regex, pattern)} characters of a text, and the rest is unknown`
  warn(context, holder, key, what, { help: 'large counts in braces make it long; `+` and `*` cost nothing' })
}

/** Names of `(?<name>…)` and `(?P<name>…)`. */
export const groupNames = (pattern: string): readonly string[] =>
  [...pattern.matchAll(/\(\?P?<([A-Za-z]\w*)>/g)].flatMap(found => found[1] ?? [])
