import type { Json, JsonObject } from '../../lib/json.ts'
import type { ActionKind } from '../model/vocabulary.ts'
import { matchText, type TextPattern, type TextTools } from './text.ts'
import { someTruth, type Truth } from './three-valued.ts'

/** Stands for a part of a text that only running the line could determine: `$X` in `echo "a $X" > f`. */
export const UNKNOWN_PART = '\ufffc'

/** What is known about the text that an action writes. */
interface Writing {
  readonly action: ActionKind
  readonly text?: string
  /** the source of an action of a shell line or a patch, whose text is not in the call's fields */
  readonly via?: string
}

/** Fields that hold new text, as tools name them. `old_string` is not among them. */
const NEW_TEXT =
  /^(contents?|text|file_?(text|contents?)|(new|code|insert)_?(str|string|text|source|contents?|edit)|insertion|replacement|new|append|replace(_?with)?)$/i

const DEEPEST = 4
const MOST_TEXTS = 1000

/** The texts that a tool's input brings: the content of `Write`, the new string of each edit; undefined: none, or too many to read. */
function newTextsIn(input: JsonObject | undefined): readonly string[] | undefined {
  const found: string[] = []
  const visit = (value: Json | undefined, isNew: boolean, depth: number): void => {
    if (found.length > MOST_TEXTS || depth > DEEPEST) return
    if (typeof value === 'string') {
      if (isNew) found.push(value)
    } else if (Array.isArray(value)) for (const item of value) visit(item, isNew, depth + 1)
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, NEW_TEXT.test(name), depth + 1)
  }
  visit(input, false, 0)
  return found.length > MOST_TEXTS || found.length === 0 ? undefined : found
}

/** Does a text that this action writes match? A tool may write several, and each is matched by itself. What an MCP tool is not given, it does not write. */
export function matchWrittenText(
  wanted: readonly TextPattern[],
  { action, text, via }: Writing,
  input: JsonObject | undefined,
  tools: TextTools,
): Truth {
  if (action !== 'write' && action !== 'mcp') return 'false'
  const found = via === undefined ? newTextsIn(input) : undefined
  const texts = text !== undefined ? [text] : action === 'mcp' ? (found ?? []) : found
  return texts ? someTruth(texts, one => matchKnownParts(wanted, one, tools)) : 'unknown'
}

/** A match is certain only in what is known, and no match is certain beside a part that is not. */
function matchKnownParts(wanted: readonly TextPattern[], text: string, tools: TextTools): Truth {
  if (!text.includes(UNKNOWN_PART)) return matchText(wanted, text, tools, text.length)
  const known = text.split('\n').map(line => (line.includes(UNKNOWN_PART) ? UNKNOWN_PART : line))
  return someTruth(wanted, pattern => {
    if (!('regex' in pattern)) return matchText([pattern], text, tools) === 'true' ? 'true' : 'unknown'
    return [text, known.join('\n')].some(part => matchesApart(pattern.regex, part, tools)) ? 'true' : 'unknown'
  })
}

/** Does the regex match a part of the text that touches no unknown part? */
function matchesApart(pattern: string, text: string, { regex }: TextTools): boolean {
  const read = text.slice(0, regex.reach?.(pattern, text) ?? text.length)
  const found = read === '' ? undefined : regex.search(pattern, read)?.text
  if (!found || found.includes(UNKNOWN_PART) || read.endsWith(found)) return false
  return !text.includes(UNKNOWN_PART + found) && !text.includes(found + UNKNOWN_PART)
}
