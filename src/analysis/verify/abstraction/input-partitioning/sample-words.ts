import { type CommandPattern, fitsStars, type WordPattern } from '../../../../engine/index.ts'
import type { Atom } from '../condition-atoms.ts'

/** Lines for one pattern. */
const MAX_LINES = 8

interface SampledWords {
  readonly lines: readonly (readonly string[])[]
  readonly isIncomplete: boolean
}

/** `npm run *` with a word that no pattern names, and with the words that other patterns have in its place. */
export function sampleWords(pattern: CommandPattern, atoms: readonly Atom[]): SampledWords {
  const { words } = pattern
  if (!words.some(hasStar)) return { lines: [words], isIncomplete: false }
  const patterns = commandPatternsIn(atoms)
  const others = patterns
    .filter(other => mayBeSameProgram(pattern, other))
    .map(other => other.words)
    .filter(other => other.every((word, at) => mayBeSame(words[at] ?? word, word)))
  const texts = atoms.flatMap(atom => (atom.key === 'words' ? atom.in : [])).flatMap(textOf)
  const named = words.map((word, at) =>
    hasStar(word)
      ? [...new Set([...others.flatMap(other => other[at] ?? []), ...texts])].filter(one => isTextOf(word, one))
      : [],
  )
  const fillings = ['some', freeWord(patterns)].map(free => words.map(word => fillStars(word, free)))
  // every star with every word that other patterns have there
  const all = named.reduce<readonly (readonly string[])[]>(
    (lines, choices, at) =>
      lines.flatMap(line => [line, ...choices.map(word => line.with(at, word))]).slice(0, MAX_LINES + 1),
    fillings.slice(0, 1),
  )
  const met = [...fillings, ...all.slice(1)]
  return { lines: met.slice(0, MAX_LINES), isIncomplete: met.length > MAX_LINES }
}

/** `--privileged*` as `--privileged`, `mkfs.*` as `mkfs.some`. */
export const fillStars = (text: string, free = 'some'): string =>
  (text.startsWith('-') ? text.replace(/\*$/, '') : text).replaceAll('*', free)

const hasStar = (text: string): boolean => text.includes('*')

const commandPatternsIn = (atoms: readonly Atom[]): readonly CommandPattern[] =>
  atoms.flatMap(atom => (atom.key === 'command' ? atom.in.flatMap(matcher => ('words' in matcher ? matcher : [])) : []))

const textOf = (pattern: WordPattern): readonly string[] => ('like' in pattern ? [fillStars(pattern.like)] : [])

/** A word that the star may stand for; for a star inside a word, another pattern with its stars filled. */
const isTextOf = (word: string, text: string): boolean => !hasStar(text) && fitsStars(word, text)

const mayBeSame = (one: string, other: string): boolean =>
  one === other || fitsStars(one, fillStars(other)) || fitsStars(other, fillStars(one))

const mayBeSameProgram = (pattern: CommandPattern, other: CommandPattern): boolean =>
  mayBeSame(pattern.program, other.program)

function freeWord(patterns: readonly CommandPattern[]): string {
  const named = new Set(patterns.flatMap(({ words }) => words))
  for (let nth = 1; ; nth++) if (!named.has(`some${nth}`)) return `some${nth}`
}
