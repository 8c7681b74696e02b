import { matchText, type Regex, type TextPattern } from '../../../../engine/index.ts'
import { textLanguage } from '../regular-languages/pattern-language.ts'
import {
  ANY_STRING,
  anyCharExcept,
  charClass,
  complement,
  containing,
  intersectionOf,
  isInLanguage,
  kleeneStar,
  type RegularLanguage,
  type SearchBudget,
  shortestString,
} from '../regular-languages/regular-language.ts'
import { sampleText } from './sample-strings.ts'

/** One text for each combination in which the patterns match or do not match, as far as these could be found. */
export interface TextPartition {
  readonly texts: readonly string[]
  /** some combination may be missing */
  readonly isIncomplete: boolean
}

interface TextPartitionOptions {
  readonly regex: Regex
  /** the language of all allowed texts */
  readonly base?: RegularLanguage
  /** readable texts; the first that no pattern matches represents unmatched texts */
  readonly seeds?: readonly string[]
}

interface TextCell {
  readonly language: RegularLanguage
  readonly text: string
}

/** With more cells than this, each pattern gets only a text of its own. */
const MAX_CELLS = 24
const SEARCH_STEPS = 20_000
/** Patterns ignore case, except literal texts (`is`). */
const NO_UPPERCASE = kleeneStar(charClass([[65, 90]], true))

/** Texts with at least one character that is not blank. */
export const NON_BLANK_TEXT = containing(anyCharExcept(' \t\n'))

export function partitionTexts(
  patterns: readonly TextPattern[],
  { regex, base = ANY_STRING, seeds = [] }: TextPartitionOptions,
): TextPartition {
  const each = [...new Map(patterns.map(pattern => [JSON.stringify(pattern), pattern])).values()]
  const read = each.map(pattern => ({ pattern, language: textLanguage(pattern) }))
  const takes = (pattern: TextPattern, text: string): boolean =>
    matchText([pattern], text, { regex, fill: value => value }) === 'true'
  const free = seeds.find(seed => isInLanguage(base, seed) && !each.some(pattern => takes(pattern, seed)))
  const budget: SearchBudget = { left: SEARCH_STEPS }
  const lower = intersectionOf([base, NO_UPPERCASE])
  const first = free ?? shortestString(lower, budget)
  let isVague = first === undefined || read.some(one => one.language === undefined)
  let cells: readonly TextCell[] = typeof first === 'string' ? [{ language: lower, text: first }] : []
  for (const { language } of read) {
    if (!language) continue
    const halves = cells.map(cell => splitCell(cell, language, budget))
    isVague ||= halves.includes(undefined) || halves.flatMap(halve => halve ?? []).length > MAX_CELLS
    cells = halves.flatMap((halve, at) => halve ?? cells.slice(at, at + 1)).slice(0, MAX_CELLS)
  }
  const own = each.flatMap(pattern =>
    'is' in pattern ? [pattern.is, ...caseVariants(pattern.is)] : (sampleText(pattern, regex) ?? []),
  )
  const texts = [...new Set([...cells.map(cell => cell.text), ...own.filter(text => isInLanguage(base, text))])]
  // the partition is trusted only if the real matcher agrees with the languages
  const isSo = cells.every(({ text }) =>
    read.every(({ pattern, language }) => !language || isInLanguage(language, text) === takes(pattern, text)),
  )
  return { texts, isIncomplete: isVague || !isSo }
}

/** Splits a cell by a pattern: texts that match it, and texts that do not. Undefined: the search budget is spent. */
function splitCell(cell: TextCell, other: RegularLanguage, budget: SearchBudget): readonly TextCell[] | undefined {
  const [same, opposite] = isInLanguage(other, cell.text) ? [other, complement(other)] : [complement(other), other]
  const language = intersectionOf([cell.language, opposite])
  const text = shortestString(language, budget)
  if (text === undefined) return undefined
  return text === null
    ? [cell]
    : [
        { ...cell, language: intersectionOf([cell.language, same]) },
        { language, text },
      ]
}

const caseVariants = (text: string): readonly string[] => [text.toUpperCase(), text.toLowerCase()]
