import { RE2JS } from 're2js'
import type { Regex } from '../../engine/index.ts'

const compiled = new Map<string, RE2JS>()

function compile(pattern: string): RE2JS {
  let regex = compiled.get(pattern)
  if (!regex) {
    regex = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
    compiled.set(pattern, regex)
  }
  return regex
}

/** About 0.2 s: a match takes one step of the regex program per character, and repeats are expanded in that program. */
const MOST_STEPS = 10_000_000

type Found = ReturnType<Regex['search']>

/** The last result of each pattern: a rule searches the same text for every action of a call. */
const latest = new Map<string, { readonly text: string; readonly found: Found }>()

/** User regexes run in time linear in their input (RE2): a policy cannot hang the hook. */
export const regex: Regex = {
  search(pattern, text) {
    const known = latest.get(pattern)
    if (known?.text === text) return known.found
    const found = find(pattern, text)
    latest.set(pattern, { text, found })
    return found
  },
  size: pattern => compile(pattern).programSize(),
  reach: pattern => Math.floor(MOST_STEPS / Math.max(1, compile(pattern).programSize())),
}

function find(pattern: string, text: string): Found {
  const matcher = compile(pattern).matcher(text)
  if (!matcher.find()) return null
  const groups: Record<string, string> = {}
  for (const name of Object.keys(matcher.namedGroups ?? {})) groups[name] = matcher.group(name) ?? ''
  return { text: matcher.group() ?? '', groups }
}

/** What is wrong with a pattern, or null. */
export function checkRegex(pattern: string): string | null {
  try {
    compile(pattern)
    return null
  } catch (error) {
    // the compiler's message contains `(?i)`, which the author did not write
    return (error instanceof Error ? error.message : String(error)).replaceAll('(?i)', '')
  }
}
