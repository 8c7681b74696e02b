import { points } from './count.ts'
import type { Complexity, Intent } from './intents.ts'
import { Lexicon } from './lexicon.ts'
import { COMPLEXITY, LEVELS, USUAL } from './tables/complexity.ts'
import type { Word } from './text.ts'

let lexicon: Lexicon | undefined

/** How much work it sounds like: what its intent usually takes, and what is said of it. */
export function complexityOf(intent: Intent, words: readonly Word[], languages: ReadonlySet<string>): Complexity {
  lexicon ??= new Lexicon(COMPLEXITY)
  const said = points(lexicon, words, languages)
  const usual = USUAL[intent]
  // a question stays one, however large what it asks about is
  const sum = usual === 0 ? 0 : usual + (said.get('more') ?? 0) * 0.6 - (said.get('less') ?? 0) * 0.5 + lengthOf(words)
  if (sum < LEVELS.medium) return 'low'
  return sum < LEVELS.high ? 'medium' : 'high'
}

function lengthOf(words: readonly Word[]): number {
  // two characters of a run are about a word
  const length = words.reduce((sum, { text, kind }) => sum + (kind === 'run' ? Math.ceil(text.length / 2) : 1), 0)
  if (length > 40) return 0.6
  if (length > 14) return 0.3
  return length < 4 ? -0.3 : 0
}
