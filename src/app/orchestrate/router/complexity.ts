import type { Complexity, Intent } from '../../../policy/intents.ts'
import { Lexicon } from './lexicon.ts'
import type { RequestWord } from './request-text.ts'
import { sumVotes } from './sum-votes.ts'
import { BASE_COMPLEXITY, COMPLEXITY_LEVELS } from './tables/complexity.ts'
import { COMPLEXITY_CUES } from './tables/cues.ts'

let complexityLexicon: Lexicon | undefined

/** Estimates the amount of work from the intent's usual complexity and from cues in the request. */
export function estimateComplexity(
  intent: Intent,
  words: readonly RequestWord[],
  languages: ReadonlySet<string>,
): Complexity {
  complexityLexicon ??= new Lexicon(COMPLEXITY_CUES)
  const votes = sumVotes(complexityLexicon, words, languages)
  const usual = BASE_COMPLEXITY[intent]
  // a question stays simple, however large its subject is
  const sum =
    usual === 0 ? 0 : usual + (votes.get('more') ?? 0) * 0.6 - (votes.get('less') ?? 0) * 0.5 + lengthPointsOf(words)
  if (sum < COMPLEXITY_LEVELS.medium) return 'low'
  return sum < COMPLEXITY_LEVELS.high ? 'medium' : 'high'
}

function lengthPointsOf({ length }: readonly RequestWord[]): number {
  if (length > 40) return 0.6
  if (length > 14) return 0.3
  return length < 4 ? -0.3 : 0
}
