import { INTENTS, type Intent } from './intents.ts'
import { languagesOf } from './language.ts'
import { type Entry, Lexicon } from './lexicon.ts'
import { TABLES } from './tables/index.ts'
import { NEGATIONS, POLITE, WEIGHTS } from './tables/weights.ts'
import type { Text, Word } from './text.ts'

/** A cue as it was found, and what it counts for here. */
export interface Hit {
  readonly cue: string
  /** the word it begins with */
  readonly at: number
  readonly factor: number
  readonly votes: Entry['votes']
}

export interface Score {
  readonly intent: Intent
  readonly score: number
  /** how many cues made it */
  readonly cues: number
}

export interface Weighed {
  /** every intent, heaviest first */
  readonly scores: readonly [Score, ...Score[]]
  readonly hits: readonly Hit[]
}

let lexicon: Lexicon | undefined
const polite = new Set(POLITE.split(' '))

/** What speaks for which intent, and how loud. */
export function weigh({ words }: Pick<Text, 'words'>): Weighed {
  const { main, all } = languagesOf(words)
  const negations = new Set([...main].flatMap(language => NEGATIONS[language]?.split(' ') ?? []))
  const hits = new Search(words, all, negations).hits()
  const weights = weightsOf(hits, all)
  const about = { words: words.length, isBare: hits.length === 0 }
  const [first, ...more] = INTENTS.map(intent => scoreOf(intent, weights.get(intent), about))
  if (!first) throw new Error('there are no intents')
  const [best = first, ...rest] = [first, ...more].sort((a, b) => b.score - a.score)
  return { scores: [best, ...rest], hits }
}

/** One walk through the words of a request. */
class Search {
  readonly words: readonly Word[]
  readonly languages: ReadonlySet<string>
  readonly negations: ReadonlySet<string>
  readonly #lexicon: Lexicon
  readonly #hits: Hit[] = []
  readonly #seen = new Map<Entry, number>()

  constructor(words: readonly Word[], languages: ReadonlySet<string>, negations: ReadonlySet<string>) {
    this.words = words
    this.languages = languages
    this.negations = negations
    lexicon ??= new Lexicon(TABLES)
    this.#lexicon = lexicon
  }

  hits(): readonly Hit[] {
    const { words, languages } = this
    const start = Math.max(
      0,
      words.findIndex(({ text }) => !polite.has(text)),
    )
    const lead = this.#lexicon.leading(words, start, languages) ?? this.#lexicon.leading(words, 0, languages)
    if (lead) this.#hit(start, lead.entry, lead.entry.cue.slice(1).replace('*', ''), 1)
    for (let at = 0; at < words.length; ) at += this.#look(at, start)
    return this.#hits
  }

  /** What is found at this word; returns how many words that takes. */
  #look(at: number, start: number): number {
    const word = this.words[at]
    const found = this.#lexicon.at(this.words, at, this.languages)
    const place = at - start < WEIGHTS.lead.words ? WEIGHTS.lead.factor : 1
    const factor = place * (this.#isNegated(at) ? WEIGHTS.negated : 1)
    if (found) {
      const said = this.words.slice(at, at + found.words).map(({ text }) => text)
      this.#hit(at, found.entry, said.join(' '), factor)
    } else if (word && word.kind !== 'word') {
      for (const [nth, { entry }] of this.#lexicon.within(word, this.languages).entries())
        this.#hit(at + nth / 1000, entry, entry.cue, 1)
    } else if (word) {
      const slip = this.#lexicon.misspelled(word, this.languages)
      if (slip) this.#hit(at, slip.entry, slip.entry.cue.replace('*', ''), factor * WEIGHTS.misspelled)
    }
    return found?.words ?? 1
  }

  #hit(at: number, entry: Entry, cue: string, factor: number): void {
    const before = this.#seen.get(entry) ?? 0
    this.#seen.set(entry, before + 1)
    if (before < WEIGHTS.most)
      this.#hits.push({ cue, at, factor: factor * WEIGHTS.again ** before, votes: entry.votes })
  }

  #isNegated(at: number): boolean {
    for (let before = Math.max(0, at - WEIGHTS.reach); before < at; before++)
      if (this.negations.has(this.words[before]?.text ?? '')) return true
    return false
  }
}

type Weights = Map<number, number>

/** What counts twice at one place, because the request begins there, counts once. */
function weightsOf(hits: readonly Hit[], languages: ReadonlySet<string>): ReadonlyMap<string, Weights> {
  const all = new Map<string, Weights>()
  for (const { at, votes, factor } of hits)
    for (const vote of votes) {
      if (!languages.has(vote.language)) continue
      const own: Weights = all.get(vote.for) ?? new Map()
      own.set(at, Math.max(own.get(at) ?? 0, vote.weight * factor))
      all.set(vote.for, own)
    }
  return all
}

/** The first cue counts in full, each further one less: a long text is not surer because it is long. */
function scoreOf(
  intent: Intent,
  own: Weights = new Map(),
  { words, isBare }: { words: number; isBare: boolean },
): Score {
  const sum = [...own.values()]
    .sort((a, b) => b - a)
    .reduce((all, weight, nth) => all + weight * WEIGHTS.further ** nth, WEIGHTS.prior[intent] ?? 0)
  if (intent !== 'other') return { intent, score: sum, cues: own.size }
  const isShort = words <= WEIGHTS.small.words
  return { intent, score: isShort ? sum + (isBare ? 1 : 0) : sum * WEIGHTS.small.factor, cues: own.size }
}
