import type { Layer } from '../model/vocabulary.ts'
import { type CommandMatcher, matchCommands } from './command.ts'
import type { Word } from './command-words.ts'
import type { PathPattern } from './path.ts'
import { matchPathRef, type PathRef } from './path-ref.ts'
import { lengthReadByPattern, type TextPattern, type TextTools } from './text.ts'
import { someTruth, type Truth } from './three-valued.ts'

/** One layer's `allow:` lists. They exempt actions and never decide. */
export interface AllowList {
  readonly layer: Layer
  readonly paths: readonly PathPattern[]
  readonly commands: readonly CommandMatcher[]
  /** regexes over the whole simple command or path */
  readonly patterns: readonly TextPattern[]
}

/** The parts of an action that an allowlist can clear. */
interface Clearable {
  readonly words?: readonly Word[]
  readonly onlyReads?: boolean
  readonly altered?: boolean
  readonly elsewhere?: boolean
  readonly place?: PathRef
}

/** Is the action on a list of one of these layers? This is an exemption, so every reading must be covered. */
export function matchAllowLists(
  lists: readonly AllowList[],
  layers: readonly Layer[],
  act: Clearable,
  tools: TextTools,
): Truth {
  const how = { tree: false, reading: 'all', fill: tools.fill, asWritten: true } as const
  return someTruth(lists, ({ layer, commands, paths, patterns }) => {
    // in another folder `make` runs what somebody else wrote there
    if (!layers.includes(layer) || (act.words && act.elsewhere && !act.onlyReads)) return 'false'
    if (patterns.length > 0 && matchesPattern(patterns, act, tools)) return 'true'
    if (act.words) return matchCommands(commands, { ...act, words: act.words }, how)
    return act.place ? matchPathRef(paths, act.place, how) : 'false'
  })
}

/** A command must match from its first word, a path both as written and resolved. Unknown words and paths match nothing. */
function matchesPattern(
  patterns: readonly TextPattern[],
  { words, altered, place }: Clearable,
  tools: TextTools,
): boolean {
  if (words) {
    const isLiteral = !altered && words.every(word => word.text !== null)
    return isLiteral && matchStart(patterns, words.map(word => word.text).join(' '), tools)
  }
  if (!place || place.lexical === null || place.strays) return false
  return [place.lexical, place.real ?? place.lexical].every(path =>
    patterns.some(pattern => finds(pattern, path, tools) !== ''),
  )
}

/** The matched text. Empty if the pattern can match nothing (`^(npm test)?` fits any path), or cannot read the whole text. */
function finds(pattern: TextPattern, text: string, { regex }: TextTools): string {
  if (!('regex' in pattern) || text.length > lengthReadByPattern(regex, pattern.regex, text)) return ''
  return regex.search(pattern.regex, text)?.text ?? ''
}

/** Matches at the start only: otherwise `npm test` would clear `evil npm test`. */
const matchStart = (patterns: readonly TextPattern[], command: string, tools: TextTools): boolean =>
  patterns.some(pattern => {
    const found = finds(pattern, command, tools)
    return found !== '' && command.startsWith(found)
  })
