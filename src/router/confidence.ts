import { CURVE, ENOUGH, MOST, NOTHING_FOUND } from './tables/confidence.ts'
import type { Weighed } from './weigh.ts'

/** How often a decision like this one is right: of those that say 0.9, about nine in ten. `known`: the share of letters somebody can read. */
export function confidenceOf({ scores, hits }: Weighed, known: number): number {
  const [best, next] = scores
  if (!best || hits.length === 0) return NOTHING_FOUND
  const z = CURVE.at + CURVE.ahead * (best.score - (next?.score ?? 0)) + CURVE.score * Math.min(best.score, ENOUGH)
  const sure = Math.min(MOST, 1 / (1 + Math.exp(-z)))
  return Math.round(Math.max(NOTHING_FOUND, sure * Math.min(1, known * 1.5)) * 100) / 100
}
