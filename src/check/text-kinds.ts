import { type Regex, type TextPattern, textTruth } from '../pattern/index.ts'
import {
  and,
  has,
  type Language,
  many,
  noLetter,
  not,
  type Patience,
  rest,
  setOf,
  shortest,
  within,
} from './language.ts'
import { textLanguage } from './pattern-language.ts'
import { textFor } from './witness.ts'

/** A text for every way in which some patterns take it or leave it, as far as that could be found out. */
export interface TextKinds {
  readonly texts: readonly string[]
  /** there may be others */
  readonly isVague: boolean
}

interface Asked {
  readonly regex: Regex
  /** what a text may be at all */
  readonly base?: Language
  /** nice ones, of which one is taken for what no pattern names */
  readonly seeds?: readonly string[]
}

interface Cell {
  readonly language: Language
  readonly text: string
}

/** Beyond these, each pattern has a text of its own and no more. */
const MOST_CELLS = 24
const PATIENCE = 20_000
/** Patterns are about any case, but for those that are the text itself. */
const LOWER = many(setOf([[65, 90]], true))

/** Anything but blanks is in it. */
export const SPOKEN = within(noLetter(' \t\n'))

export function textKinds(patterns: readonly TextPattern[], { regex, base = rest, seeds = [] }: Asked): TextKinds {
  const each = [...new Map(patterns.map(one => [JSON.stringify(one), one])).values()]
  const read = each.map(pattern => ({ pattern, language: textLanguage(pattern) }))
  const takes = (pattern: TextPattern, text: string): boolean =>
    textTruth([pattern], text, { regex, fill: value => value }) === 'true'
  const free = seeds.find(seed => has(base, seed) && !each.some(one => takes(one, seed)))
  const patience: Patience = { left: PATIENCE }
  const lower = and([base, LOWER])
  const first = free ?? shortest(lower, patience)
  let isVague = first === undefined || read.some(one => one.language === undefined)
  let cells: readonly Cell[] = typeof first === 'string' ? [{ language: lower, text: first }] : []
  for (const { language } of read) {
    if (!language) continue
    const halves = cells.map(cell => halved(cell, language, patience))
    isVague ||= halves.includes(undefined) || halves.flatMap(one => one ?? []).length > MOST_CELLS
    cells = halves.flatMap((one, at) => one ?? cells.slice(at, at + 1)).slice(0, MOST_CELLS)
  }
  const own = each.flatMap(one => ('is' in one ? [one.is, ...otherCases(one.is)] : (textFor(one, regex) ?? [])))
  const texts = [...new Set([...cells.map(cell => cell.text), ...own.filter(text => has(base, text))])]
  // what the languages say is believed only where the real matcher says the same
  const isSo = cells.every(({ text }) =>
    read.every(({ pattern, language }) => !language || has(language, text) === takes(pattern, text)),
  )
  return { texts, isVague: isVague || !isSo }
}

/** What the pattern takes of it, and what it leaves; undefined where that took too long. */
function halved(cell: Cell, other: Language, patience: Patience): readonly Cell[] | undefined {
  const [same, opposite] = has(other, cell.text) ? [other, not(other)] : [not(other), other]
  const language = and([cell.language, opposite])
  const text = shortest(language, patience)
  if (text === undefined) return undefined
  return text === null
    ? [cell]
    : [
        { ...cell, language: and([cell.language, same]) },
        { language, text },
      ]
}

const otherCases = (text: string): readonly string[] => [text.toUpperCase(), text.toLowerCase()]
