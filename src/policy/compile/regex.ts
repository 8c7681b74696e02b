import { type Context, complain, type Key } from './context.ts'

/** False, with a problem noted, when the engine cannot run it. */
export function isRegex(context: Context, holder: object, key: Key, pattern: string): boolean {
  const fault = context.input.checkRegex(pattern)
  if (fault === null) return true
  complain(context, holder, key, `\`${pattern}\` is not a regex: ${fault}`)
  return false
}

/** Names of `(?<name>…)` and `(?P<name>…)`. */
export const groupNames = (pattern: string): readonly string[] =>
  [...pattern.matchAll(/\(\?P?<([A-Za-z]\w*)>/g)].flatMap(found => found[1] ?? [])
