import type { Regex } from '../../../engine/index.ts'
import { isKnownRegex } from '../../packs/prebuilt-packs.ts'
import { type CompileContext, type DocumentKey, reportError, reportWarning } from '../context.ts'

/** Returns why the engine cannot run the regex, or null. */
export function findRegexError({ input, notes: { limits } }: CompileContext, pattern: string): string | null {
  limits?.spend('regexes', 1)
  const fault = input.checkRegex(pattern)
  if (fault === null) limits?.spend('instructions', input.regex.size?.(pattern) ?? 0)
  if (fault === null) return null
  const foreign = UNSUPPORTED_SYNTAX.find(([syntax]) => syntax.test(pattern))
  if (!foreign) return `\`${pattern}\` is not a regex: ${fault}`
  const [syntax, words] = foreign
  return `\`${pattern}\` cannot be used: ${words.replace('$', () => `\`${syntax.exec(pattern)?.[0]}\``)}`
}

/** Syntax of other regex engines. The message explains what is unsupported, because the author knows it as a valid regex. */
const UNSUPPORTED_SYNTAX: readonly (readonly [syntax: RegExp, words: string])[] = [
  [/\(\?<?[=!]/, 'look-around ($) is not supported, since every regex runs in linear time'],
  [/\\[1-9]|\(\?P=\w*\)?|\\k[<{']/, 'a back-reference ($) is not supported, since every regex runs in linear time'],
  [/\(\?>|[*+?}]\+/, 'a possessive match ($) is not supported'],
  [/\\Z/, '$ is written `\\z` here'],
]

/** Returns false and reports an error if the engine cannot run the regex. */
export function checkRegex(context: CompileContext, holder: object, key: DocumentKey, pattern: string): boolean {
  if (isKnownRegex(pattern)) return true
  const fault = findRegexError(context, pattern)
  if (fault !== null) reportError(context, holder, key, fault)
  else warnOfSlowRegex(context, holder, key, pattern)
  return fault === null
}

const SHORT_TEXT = 10_000
const maxTextLengthOf = (regex: Regex, pattern: string): number => regex.reach?.(pattern) ?? SHORT_TEXT

export const isFastRegex = (regex: Regex, pattern: string): boolean => maxTextLengthOf(regex, pattern) >= SHORT_TEXT

/** Repeats in braces are unrolled, so nested repeats make a long program of a short pattern. */
function warnOfSlowRegex(context: CompileContext, holder: object, key: DocumentKey, pattern: string): void {
  const { regex } = context.input
  if (isFastRegex(regex, pattern)) return
  const what = `\`${pattern}\` is slow: it searches only the first ${maxTextLengthOf(regex, pattern)} characters of a text, and the rest counts as unknown`
  reportWarning(context, holder, key, what, { help: 'large counts in braces make it long; `+` and `*` cost nothing' })
}

/** The names of `(?<name>…)` and `(?P<name>…)`. */
export const regexGroupNames = (pattern: string): readonly string[] =>
  [...pattern.matchAll(/\(\?P?<([A-Za-z]\w*)>/g)].flatMap(found => found[1] ?? [])
