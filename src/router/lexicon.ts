import type { Cues } from './tables/cues.ts'
import { type Word, wordsOf } from './text.ts'

export interface Vote {
  readonly for: string
  readonly weight: number
  readonly language: string
}

/** One word or phrase of the tables, and what it speaks for. */
export interface Entry {
  readonly cue: string
  readonly votes: Vote[]
}

interface Element {
  readonly text: string
  /** `stem`: any word that begins so; `gap`: up to three words, whatever they are */
  readonly how: 'whole' | 'stem' | 'gap'
}

interface Phrase {
  readonly elements: readonly Element[]
  readonly entry: Entry
}

/** What was found, and how many words it takes. */
export interface Found {
  readonly entry: Entry
  readonly words: number
  /** it was spelled otherwise */
  readonly spelled?: string
}

const GAP = 3
/** A shorter word is too often another word, spelled right. */
const MISSPELLED = 6

/** The tables, indexed: a request is read once, and each of its words is looked up. */
export class Lexicon {
  /** what counts only where the request begins */
  readonly #leads = new Map<string, Phrase[]>()
  readonly #whole = new Map<string, Entry>()
  readonly #stems = new Map<string, Entry>()
  readonly #ends: { readonly end: string; readonly entry: Entry }[] = []
  readonly #phrases = new Map<string, Phrase[]>()
  readonly #runs = new Map<string, { readonly run: string; readonly entry: Entry }[]>()
  readonly #spelled = new Map<string, { readonly text: string; readonly entry: Entry }[]>()

  constructor(tables: Readonly<Record<string, Cues>>) {
    for (const [intent, cues] of Object.entries(tables))
      for (const [language, rows] of Object.entries(cues))
        for (const [weight, row] of Object.entries(rows))
          for (const cue of row.split(',')) this.#add(cue.trim(), { for: intent, weight: Number(weight), language })
    for (const map of [this.#phrases, this.#leads])
      for (const list of map.values()) list.sort((a, b) => b.elements.length - a.elements.length)
    for (const list of this.#runs.values()) list.sort((a, b) => b.run.length - a.run.length)
  }

  /** The longest cue that begins with this word. */
  at(words: readonly Word[], index: number, languages: ReadonlySet<string>): Found | undefined {
    const word = words[index]
    if (!word || word.kind === 'run') return undefined
    return (
      phraseAt(this.#phrases, words, index, languages) ??
      (word.kind === 'word' ? this.#word(word.text, languages) : undefined)
    )
  }

  /** A cue that counts because the request begins with it; what else is said by the same words counts too. */
  leading(words: readonly Word[], index: number, languages: ReadonlySet<string>): Found | undefined {
    return phraseAt(this.#leads, words, index, languages)
  }

  /** Every cue within a run of characters that no spaces divide. */
  within({ text }: Word, languages: ReadonlySet<string>): readonly Found[] {
    const found: Found[] = []
    for (let at = 0; at < text.length; ) {
      const hit = this.#runs
        .get(text.charAt(at))
        ?.find(({ run, entry }) => text.startsWith(run, at) && speaks(entry, languages))
      if (hit) found.push({ entry: hit.entry, words: 1 })
      at += hit ? hit.run.length : 1
    }
    return found
  }

  /** A cue that this word is one slip of the finger away from. */
  misspelled({ text, kind }: Word, languages: ReadonlySet<string>): Found | undefined {
    if (kind !== 'word' || text.length < MISSPELLED) return undefined
    const hit = this.#spelled.get(text.charAt(0))?.find(one => speaks(one.entry, languages) && isSlip(text, one.text))
    return hit && { entry: hit.entry, words: 1, spelled: text }
  }

  #word(text: string, languages: ReadonlySet<string>): Found | undefined {
    const whole = this.#whole.get(text)
    if (whole && speaks(whole, languages)) return { entry: whole, words: 1 }
    for (let length = text.length; length >= 3; length--) {
      const entry = this.#stems.get(text.slice(0, length))
      if (entry && speaks(entry, languages)) return { entry, words: 1 }
    }
    const end = this.#ends.find(
      one => text.length > one.end.length && text.endsWith(one.end) && speaks(one.entry, languages),
    )
    return end && { entry: end.entry, words: 1 }
  }

  #add(cue: string, vote: Vote): void {
    const elements = elementsOf(cue)
    const [first, second] = elements
    if (!first) return
    if (cue.startsWith('^'))
      put(
        listed(this.#leads, keyOf(first.text)),
        one => one.entry.cue === cue,
        entry => ({ elements, entry }),
        cue,
        vote,
      )
    else if (cue.startsWith('*'))
      put(
        this.#ends,
        one => one.end === first.text,
        entry => ({ end: first.text, entry }),
        cue,
        vote,
      )
    else if (second || (first.how === 'whole' && isGlued(first.text) && cue.includes(' '))) {
      const list = listed(this.#phrases, keyOf(first.text))
      const same = (one: Phrase) => one.entry.cue === cue
      put(list, same, entry => ({ elements, entry }), cue, vote)
    } else if (isRun(first.text)) {
      const list = listed(this.#runs, first.text.charAt(0))
      put(
        list,
        one => one.run === first.text,
        entry => ({ run: first.text, entry }),
        cue,
        vote,
      )
    } else this.#addWord(first, cue, vote)
  }

  #addWord({ text, how }: Element, cue: string, vote: Vote): void {
    const map = how === 'stem' ? this.#stems : this.#whole
    const entry = map.get(text) ?? { cue, votes: [] }
    entry.votes.push(vote)
    map.set(text, entry)
    if (text.length >= MISSPELLED && entry.votes.length === 1)
      listed(this.#spelled, text.charAt(0)).push({ text, entry })
  }
}

function phraseAt(
  phrases: ReadonlyMap<string, readonly Phrase[]>,
  words: readonly Word[],
  index: number,
  languages: ReadonlySet<string>,
): Found | undefined {
  for (const { elements, entry } of phrases.get(keyOf(words[index]?.text ?? '')) ?? []) {
    const length = lengthOf(elements, words, index)
    if (length > 0 && speaks(entry, languages)) return { entry, words: length }
  }
  return undefined
}

function put<T extends { readonly entry: Entry }>(
  list: T[],
  same: (one: T) => boolean,
  made: (entry: Entry) => T,
  cue: string,
  vote: Vote,
): void {
  const there = list.find(same)
  if (there) there.entry.votes.push(vote)
  else list.push(made({ cue, votes: [vote] }))
}

function listed<T>(map: Map<string, T[]>, key: string): T[] {
  const list = map.get(key) ?? []
  map.set(key, list)
  return list
}

const keyOf = (text: string): string => text.slice(0, 2)
const speaks = ({ votes }: Entry, languages: ReadonlySet<string>): boolean =>
  votes.some(vote => languages.has(vote.language))
const isRun = (text: string): boolean => /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー]/u.test(text)
const isGlued = (text: string): boolean => /^\p{sc=Hang}/u.test(text)

function elementsOf(cue: string): readonly Element[] {
  return cue.split(' ').flatMap((part): Element[] => {
    if (part === '*') return [{ text: '', how: 'gap' }]
    const words = wordsOf(part)
    return words.map(({ text }, nth) => {
      const isStem = isRun(text) || (part.endsWith('*') && nth === words.length - 1)
      return { text, how: isStem ? 'stem' : 'whole' }
    })
  })
}

/** How many words the phrase takes here; 0 where it does not stand. */
function lengthOf(elements: readonly Element[], words: readonly Word[], index: number): number {
  let at = index
  for (const [nth, element] of elements.entries()) {
    if (element.how === 'gap') {
      const next = elements[nth + 1]
      let gap = 0
      while (next && gap <= GAP && !fits(next, words[at + gap])) gap++
      if (!next || gap > GAP) return 0
      at += gap
    } else {
      if (!fits(element, words[at])) return 0
      at++
    }
  }
  return at - index
}

const fits = ({ text, how }: Element, word: Word | undefined): boolean =>
  word !== undefined && (how === 'stem' ? word.text.startsWith(text) : word.text === text)

/** One letter too many, too few, wrong, or two of them swapped. */
function isSlip(word: string, cue: string): boolean {
  const more = word.length - cue.length
  if (more < -1 || more > 1) return false
  let at = 0
  while (at < cue.length && word[at] === cue[at]) at++
  if (more === 1) return word.slice(at + 1) === cue.slice(at)
  if (more === -1) return word.slice(at) === cue.slice(at + 1)
  if (word.slice(at + 1) === cue.slice(at + 1)) return true
  return word[at] === cue[at + 1] && word[at + 1] === cue[at] && word.slice(at + 2) === cue.slice(at + 2)
}
