import { type CompileInput, type Context, complain, type Key } from './context.ts'

/** What keeps the engine from running it, in words, or null. */
export function regexFault({ checkRegex }: CompileInput, pattern: string): string | null {
  const fault = checkRegex(pattern)
  if (fault === null) return null
  const unsupported = unsupportedIn(pattern)
  return unsupported === undefined
    ? `\`${pattern}\` is not a regex: ${fault}`
    : `\`${pattern}\` cannot be used: ${unsupported}`
}

/** What other engines know and one whose time is linear in the input cannot: said in plain words where it is the reason. */
function unsupportedIn(pattern: string): string | undefined {
  const found = UNSUPPORTED.find(([syntax]) => syntax.test(pattern))
  const syntax = found?.[0].exec(pattern)?.[0]
  return found && `${found[1]} (\`${syntax}\`) is not supported, since every regex has to run in linear time`
}

const UNSUPPORTED: readonly (readonly [syntax: RegExp, name: string])[] = [
  [/\(\?<?[=!]/, 'look-around'],
  [/\\[1-9]|\(\?P=\w*\)?|\\k[<{']/, 'a back-reference'],
  [/\(\?>|[*+?}]\+/, 'a possessive match'],
]

/** False, with a problem noted, when the engine cannot run it. */
export function isRegex(context: Context, holder: object, key: Key, pattern: string): boolean {
  const fault = regexFault(context.input, pattern)
  if (fault !== null) complain(context, holder, key, fault)
  return fault === null
}

/** Names of `(?<name>…)` and `(?P<name>…)`. */
export const groupNames = (pattern: string): readonly string[] =>
  [...pattern.matchAll(/\(\?P?<([A-Za-z]\w*)>/g)].flatMap(found => found[1] ?? [])
