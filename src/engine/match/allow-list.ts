import type { Layer } from '../model/vocabulary.ts'
import { type CommandMatcher, matchCommands, type Word } from './command.ts'
import type { PathPattern } from './path.ts'
import { matchPathRef, type PathRef } from './path-ref.ts'
import { patternReach, type TextPattern, type TextTools } from './text.ts'
import { someTruth, type Truth } from './three-valued.ts'

/** One layer's `allow:` lists. They clear, and never decide. */
export interface AllowList {
  readonly layer: Layer
  readonly paths: readonly PathPattern[]
  readonly commands: readonly CommandMatcher[]
  /** regexes over the whole simple command or path */
  readonly patterns: readonly TextPattern[]
}

/** The part of an act that a list can clear. */
interface Clearable {
  readonly words?: readonly Word[]
  readonly onlyReads?: boolean
  readonly altered?: boolean
  readonly elsewhere?: boolean
  readonly place?: PathRef
}

/** Cleared by a list of one of these layers? An exemption: every reading has to be covered. */
export function matchAllowLists(
  lists: readonly AllowList[],
  layers: readonly Layer[],
  act: Clearable,
  tools: TextTools,
): Truth {
  const how = { tree: false, reading: 'all', fill: tools.fill, asWritten: true } as const
  return someTruth(lists, ({ layer, commands, paths, patterns }) => {
    // in another folder `make` is what somebody else wrote there
    if (!layers.includes(layer) || (act.words && act.elsewhere && !act.onlyReads)) return 'false'
    if (patterns.length > 0 && matchesPattern(patterns, act, tools)) return 'true'
    if (act.words) return matchCommands(commands, { ...act, words: act.words }, how)
    return act.place ? matchPathRef(paths, act.place, how) : 'false'
  })
}

/** A command has to match from its first word on, a path by both its names; what cannot be told matches nothing. */
function matchesPattern(
  patterns: readonly TextPattern[],
  { words, altered, place }: Clearable,
  tools: TextTools,
): boolean {
  if (words) {
    const told = !altered && words.every(word => word.text !== null)
    return told && matchStart(patterns, words.map(word => word.text).join(' '), tools)
  }
  if (!place || place.lexical === null || place.strays) return false
  return [place.lexical, place.real ?? place.lexical].every(path =>
    patterns.some(one => finds(one, path, tools) !== ''),
  )
}

/** The text found; none where a pattern is content with nothing, as `^(npm test)?` is with any path, or cannot see the whole. */
function finds(one: TextPattern, text: string, { regex }: TextTools): string {
  if (!('regex' in one) || text.length > patternReach(regex, one.regex, text)) return ''
  return regex.search(one.regex, text)?.text ?? ''
}

/** Found anywhere, `npm test` would clear `evil npm test`. */
const matchStart = (patterns: readonly TextPattern[], command: string, tools: TextTools): boolean =>
  patterns.some(one => {
    const found = finds(one, command, tools)
    return found !== '' && command.startsWith(found)
  })
