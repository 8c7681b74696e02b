import { INTENTS, type Intent } from '../../../policy/intents.ts'
import { detectLanguages } from './language.ts'
import { Lexicon, type LexiconEntry } from './lexicon.ts'
import type { RequestText, RequestWord } from './request-text.ts'
import { INTENT_CUES } from './tables/cues.ts'
import { CUE_WEIGHTS, NEGATION_WORDS, POLITE_WORDS } from './tables/weights.ts'

/** A matched cue and its weight here. */
export interface CueHit {
  readonly cue: string
  /** the index of its first word */
  readonly at: number
  readonly factor: number
  readonly votes: LexiconEntry['votes']
}

export interface IntentScore {
  readonly intent: Intent
  readonly score: number
  /** the number of cues that count for it */
  readonly cues: number
}

export interface IntentScores {
  /** all intents, highest score first */
  readonly scores: readonly [IntentScore, ...IntentScore[]]
  readonly hits: readonly CueHit[]
}

let intentLexicon: Lexicon | undefined
const politeWords = new Set(POLITE_WORDS.split(' '))

/** Scores each intent by the cues in the request. */
export function scoreIntents({ words }: Pick<RequestText, 'words'>): IntentScores {
  const { main, cueLanguages } = detectLanguages(words)
  const negations = new Set([...main].flatMap(language => NEGATION_WORDS[language]?.split(' ') ?? []))
  const hits = new CueSearch(words, cueLanguages, negations).hits()
  const weights = cueWeightsOf(hits, cueLanguages)
  const about = { words: words.length, isBare: hits.length === 0 }
  const [first, ...more] = INTENTS.map(intent => intentScoreOf(intent, weights.get(intent), about))
  if (!first) throw new Error('there are no intents')
  const [best = first, ...rest] = [first, ...more].sort((a, b) => b.score - a.score)
  return { scores: [best, ...rest], hits }
}

/** One pass over the words of a request. */
class CueSearch {
  readonly words: readonly RequestWord[]
  readonly languages: ReadonlySet<string>
  readonly negations: ReadonlySet<string>
  readonly #lexicon: Lexicon
  readonly #hits: CueHit[] = []
  readonly #seen = new Map<LexiconEntry, number>()

  constructor(words: readonly RequestWord[], languages: ReadonlySet<string>, negations: ReadonlySet<string>) {
    this.words = words
    this.languages = languages
    this.negations = negations
    intentLexicon ??= new Lexicon(INTENT_CUES)
    this.#lexicon = intentLexicon
  }

  hits(): readonly CueHit[] {
    const { words, languages } = this
    const start = Math.max(
      0,
      words.findIndex(({ text }) => !politeWords.has(text)),
    )
    const lead = this.#lexicon.leading(words, start, languages) ?? this.#lexicon.leading(words, 0, languages)
    if (lead) this.#hit(start, lead.entry, lead.entry.cue.slice(1).replace('*', ''), 1)
    for (let at = 0; at < words.length; ) at += this.#look(at, start)
    return this.#hits
  }

  /** Matches cues at this word and returns the number of words they cover. */
  #look(at: number, start: number): number {
    const word = this.words[at]
    const found = this.#lexicon.at(this.words, at, this.languages)
    const place = at - start < CUE_WEIGHTS.lead.words ? CUE_WEIGHTS.lead.factor : 1
    const factor = place * (this.#isNegated(at) ? CUE_WEIGHTS.negated : 1)
    if (found) {
      const phrase = this.words.slice(at, at + found.words).map(({ text }) => text)
      this.#hit(at, found.entry, phrase.join(' '), factor)
    } else if (word) {
      const slip = this.#lexicon.misspelled(word, this.languages)
      if (slip) this.#hit(at, slip.entry, slip.entry.cue.replace('*', ''), factor * CUE_WEIGHTS.misspelled)
    }
    return found?.words ?? 1
  }

  #hit(at: number, entry: LexiconEntry, cue: string, factor: number): void {
    const before = this.#seen.get(entry) ?? 0
    this.#seen.set(entry, before + 1)
    if (before < CUE_WEIGHTS.most)
      this.#hits.push({ cue, at, factor: factor * CUE_WEIGHTS.again ** before, votes: entry.votes })
  }

  #isNegated(at: number): boolean {
    for (let before = Math.max(0, at - CUE_WEIGHTS.reach); before < at; before++)
      if (this.negations.has(this.words[before]?.text ?? '')) return true
    return false
  }
}

type CueWeights = Map<number, number>

/** At one position only the highest weight counts, also where a leading cue and a normal cue match. */
function cueWeightsOf(hits: readonly CueHit[], languages: ReadonlySet<string>): ReadonlyMap<string, CueWeights> {
  const all = new Map<string, CueWeights>()
  for (const { at, votes, factor } of hits)
    for (const vote of votes) {
      if (!languages.has(vote.language)) continue
      const own: CueWeights = all.get(vote.for) ?? new Map()
      own.set(at, Math.max(own.get(at) ?? 0, vote.weight * factor))
      all.set(vote.for, own)
    }
  return all
}

/** The first cue counts in full and each further cue less, so that long texts do not score higher just by length. */
function intentScoreOf(
  intent: Intent,
  own: CueWeights = new Map(),
  { words, isBare }: { words: number; isBare: boolean },
): IntentScore {
  const sum = [...own.values()]
    .sort((a, b) => b - a)
    .reduce((all, weight, nth) => all + weight * CUE_WEIGHTS.further ** nth, CUE_WEIGHTS.prior[intent] ?? 0)
  if (intent !== 'other') return { intent, score: sum, cues: own.size }
  const isShort = words <= CUE_WEIGHTS.small.words
  return { intent, score: isShort ? sum + (isBare ? 1 : 0) : sum * CUE_WEIGHTS.small.factor, cues: own.size }
}
