import { type RequestWord, splitWords } from './request-text.ts'
import type { CueTable } from './tables/cues.ts'

export interface CueVote {
  readonly for: string
  readonly weight: number
  readonly language: string
}

/** One word or phrase of the tables, and the intents it votes for. */
export interface LexiconEntry {
  readonly cue: string
  readonly votes: CueVote[]
}

interface PhraseElement {
  readonly text: string
  /** `stem`: any word with this beginning; `gap`: up to three words of any kind */
  readonly how: 'whole' | 'stem' | 'gap'
}

interface Phrase {
  readonly elements: readonly PhraseElement[]
  readonly entry: LexiconEntry
}

/** A cue that matches part of a word. */
interface CuePart {
  readonly text: string
  readonly entry: LexiconEntry
}

/** A matched cue and the number of words it covers. */
export interface LexiconMatch {
  readonly entry: LexiconEntry
  readonly words: number
}

const MAX_GAP = 3
/** A shorter word is too often a correct other word. */
const MIN_MISSPELLABLE = 7

/** An index of the tables, so that a request is read once and each word is one lookup. */
export class Lexicon {
  readonly #entries = new Map<string, LexiconEntry>()
  /** cues that count only at the beginning of the request */
  readonly #leads = new Map<string, Phrase[]>()
  readonly #whole = new Map<string, LexiconEntry>()
  /** by their first three letters, longest first */
  readonly #stems = new Map<string, CuePart[]>()
  readonly #ends = new Map<string, CuePart[]>()
  readonly #phrases = new Map<string, Phrase[]>()
  readonly #spelled = new Map<string, CuePart[]>()

  constructor(tables: Readonly<Record<string, CueTable>>) {
    for (const [intent, cues] of Object.entries(tables))
      for (const [language, rows] of Object.entries(cues))
        for (const [weight, row] of Object.entries(rows))
          for (const cue of row.split(',')) this.#add(cue.trim(), { for: intent, weight: Number(weight), language })
    for (const list of this.#stems.values()) list.sort((a, b) => b.text.length - a.text.length)
  }

  /** The longest cue that begins with this word. */
  at(words: readonly RequestWord[], index: number, languages: ReadonlySet<string>): LexiconMatch | undefined {
    const word = words[index]
    return word && (findPhraseAt(this.#phrases, words, index, languages) ?? this.#word(word.text, languages))
  }

  /** A cue that counts because the request begins with it. Other cues in the same words count too. */
  leading(words: readonly RequestWord[], index: number, languages: ReadonlySet<string>): LexiconMatch | undefined {
    return findPhraseAt(this.#leads, words, index, languages)
  }

  /** A cue that differs from this word by one typing error. */
  misspelled({ text }: RequestWord, languages: ReadonlySet<string>): LexiconMatch | undefined {
    if (text.length < MIN_MISSPELLABLE) return undefined
    for (const length of [text.length, text.length - 1, text.length + 1]) {
      const near = this.#spelled.get(misspellingKey(text, length))
      const hit = near?.find(part => isMisspelling(text, part.text) && hasVoteIn(part.entry, languages))
      if (hit) return { entry: hit.entry, words: 1 }
    }
    return undefined
  }

  #word(text: string, languages: ReadonlySet<string>): LexiconMatch | undefined {
    const whole = this.#whole.get(text)
    if (whole && hasVoteIn(whole, languages)) return { entry: whole, words: 1 }
    const stem = this.#stems
      .get(text.slice(0, 3))
      ?.find(part => text.startsWith(part.text) && hasVoteIn(part.entry, languages))
    if (stem) return { entry: stem.entry, words: 1 }
    const end = this.#ends
      .get(text.slice(-2))
      ?.find(part => isSuffixOf(part.text, text) && hasVoteIn(part.entry, languages))
    return end && { entry: end.entry, words: 1 }
  }

  #add(cue: string, vote: CueVote): void {
    const known = this.#entries.get(cue)
    if (known) known.votes.push(vote)
    else this.#file(cue, { cue, votes: [vote] })
  }

  /** Adds a cue to the index that its form is looked up in. */
  #file(cue: string, entry: LexiconEntry): void {
    const elements = elementsOf(cue)
    const [first, second] = elements
    if (!first) return
    this.#entries.set(cue, entry)
    const { text } = first
    if (cue.startsWith('^')) listAt(this.#leads, phraseKeyOf(first)).push({ elements, entry })
    else if (cue.startsWith('*')) listAt(this.#ends, text.slice(-2)).push({ text, entry })
    else if (second) listAt(this.#phrases, phraseKeyOf(first)).push({ elements, entry })
    else {
      if (first.how === 'stem') listAt(this.#stems, text.slice(0, 3)).push({ text, entry })
      else this.#whole.set(text, entry)
      if (text.length >= MIN_MISSPELLABLE)
        listAt(this.#spelled, misspellingKey(text, text.length)).push({ text, entry })
    }
  }
}

function findPhraseAt(
  phrases: ReadonlyMap<string, readonly Phrase[]>,
  words: readonly RequestWord[],
  index: number,
  languages: ReadonlySet<string>,
): LexiconMatch | undefined {
  const text = words[index]?.text ?? ''
  let longest: LexiconMatch | undefined
  for (const key of [text, prefixKey(text)])
    for (const { elements, entry } of phrases.get(key) ?? []) {
      const length = matchedLength(elements, words, index)
      if (length > (longest?.words ?? 0) && hasVoteIn(entry, languages)) longest = { entry, words: length }
    }
  return longest
}

function listAt<T>(map: Map<string, T[]>, key: string): T[] {
  const list = map.get(key) ?? []
  map.set(key, list)
  return list
}

/** Phrases are indexed by their first word, or, for a stem, by its first two letters. */
const phraseKeyOf = ({ text, how }: PhraseElement): string => (how === 'stem' ? prefixKey(text) : text)
const prefixKey = (text: string): string => `${text.slice(0, 2)}*`
const hasVoteIn = ({ votes }: LexiconEntry, languages: ReadonlySet<string>): boolean =>
  votes.some(vote => languages.has(vote.language))
const isSuffixOf = (end: string, text: string): boolean => text.length > end.length && text.endsWith(end)
/** Assumes that a typing error does not change the first letter. */
const misspellingKey = (text: string, length: number): string => `${text.charAt(0)}${length}`

/** Most cues need no normalization. */
const PLAIN_CUE = /^[a-z0-9]+$/

function elementsOf(cue: string): readonly PhraseElement[] {
  return cue.split(' ').flatMap((part): PhraseElement[] => {
    if (part === '*') return [{ text: '', how: 'gap' }]
    const isStem = part.endsWith('*')
    const bare = part.replace(/[*^]/g, '')
    const words = PLAIN_CUE.test(bare) ? [bare] : splitWords(bare).map(({ text }) => text)
    return words.map((text, nth) => ({
      text,
      how: isStem && nth === words.length - 1 ? 'stem' : 'whole',
    }))
  })
}

/** How many words the phrase covers here; 0 if it does not match. */
function matchedLength(elements: readonly PhraseElement[], words: readonly RequestWord[], index: number): number {
  let at = index
  for (const [nth, element] of elements.entries()) {
    if (element.how === 'gap') {
      const next = elements[nth + 1]
      let gap = 0
      while (next && gap <= MAX_GAP && !matchesElement(next, words[at + gap])) gap++
      if (!next || gap > MAX_GAP) return 0
      at += gap
    } else {
      if (!matchesElement(element, words[at])) return 0
      at++
    }
  }
  return at - index
}

const matchesElement = ({ text, how }: PhraseElement, word: RequestWord | undefined): boolean =>
  word !== undefined && (how === 'stem' ? word.text.startsWith(text) : word.text === text)

/** One letter added, missing or wrong, or two letters swapped. */
function isMisspelling(word: string, cue: string): boolean {
  const more = word.length - cue.length
  if (more < -1 || more > 1) return false
  let at = 0
  while (at < cue.length && word[at] === cue[at]) at++
  if (more === 1) return word.slice(at + 1) === cue.slice(at)
  if (more === -1) return word.slice(at) === cue.slice(at + 1)
  if (word.slice(at + 1) === cue.slice(at + 1)) return true
  return word[at] === cue[at + 1] && word[at + 1] === cue[at] && word.slice(at + 2) === cue.slice(at + 2)
}
