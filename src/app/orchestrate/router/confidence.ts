import type { RequestText } from './request-text.ts'
import type { IntentScores } from './score-intents.ts'
import {
  CONFIDENCE_CURVE,
  MAX_CONFIDENCE,
  MAX_COUNTED_SCORE,
  MAX_VAGUE_CONFIDENCE,
  NO_CUE_CONFIDENCE,
  VAGUE_WORDS,
} from './tables/confidence.ts'

const vagueWords = new Set(VAGUE_WORDS.split(/\s+/))

/** The probability that the decision is right: about nine in ten with 0.9 are. Unreadable and vague requests get a low value. */
export function estimateConfidence(
  { scores, hits }: IntentScores,
  { words, known }: Pick<RequestText, 'words' | 'known'>,
): number {
  const [best, next] = scores
  if (!best || hits.length === 0) return NO_CUE_CONFIDENCE
  const z =
    CONFIDENCE_CURVE.at +
    CONFIDENCE_CURVE.ahead * (best.score - (next?.score ?? 0)) +
    CONFIDENCE_CURVE.score * Math.min(best.score, MAX_COUNTED_SCORE)
  const most =
    best.intent !== 'other' && words.every(({ text }) => vagueWords.has(text)) ? MAX_VAGUE_CONFIDENCE : MAX_CONFIDENCE
  const sure = Math.min(most, 1 / (1 + Math.exp(-z)))
  return Math.round(Math.max(NO_CUE_CONFIDENCE, sure * Math.min(1, known * 1.5)) * 100) / 100
}
