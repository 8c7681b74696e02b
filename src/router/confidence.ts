import { CURVE, ENOUGH, MOST, MOST_VAGUE, NOTHING_FOUND, VAGUE } from './tables/confidence.ts'
import type { Text } from './text.ts'
import type { Weighed } from './weigh.ts'

const vague = new Set(VAGUE.split(/\s+/))

/** How often a decision like this one is right: of those that say 0.9, about nine in ten. What nobody can read, and what names no thing, is not sure. */
export function confidenceOf({ scores, hits }: Weighed, { words, known }: Pick<Text, 'words' | 'known'>): number {
  const [best, next] = scores
  if (!best || hits.length === 0) return NOTHING_FOUND
  const z = CURVE.at + CURVE.ahead * (best.score - (next?.score ?? 0)) + CURVE.score * Math.min(best.score, ENOUGH)
  const most = best.intent !== 'other' && words.every(({ text }) => vague.has(text)) ? MOST_VAGUE : MOST
  const sure = Math.min(most, 1 / (1 + Math.exp(-z)))
  return Math.round(Math.max(NOTHING_FOUND, sure * Math.min(1, known * 1.5)) * 100) / 100
}
