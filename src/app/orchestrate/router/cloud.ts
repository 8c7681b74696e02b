import { Lexicon } from './lexicon.ts'
import type { RequestWord } from './request-text.ts'
import { sumVotes } from './sum-votes.ts'
import { CLOUD_CUES } from './tables/cues.ts'

export type CloudProvider = keyof typeof CLOUD_CUES

/** The minimum points for a cloud to be chosen. */
const CLOUD_THRESHOLD = 2
const ENGLISH = new Set(['en'])
let cloudLexicon: Lexicon | undefined

/** The cloud of the request; null if two clouds score the same. */
export function detectCloud(words: readonly RequestWord[]): CloudProvider | null {
  cloudLexicon ??= new Lexicon(CLOUD_CUES)
  const votes = sumVotes(cloudLexicon, words, ENGLISH)
  const [first, second] = CLOUD_PROVIDERS.map(cloud => ({ cloud, sum: votes.get(cloud) ?? 0 })).sort(
    (a, b) => b.sum - a.sum,
  )
  return first && first.sum >= CLOUD_THRESHOLD && first.sum > (second?.sum ?? 0) ? first.cloud : null
}

const CLOUD_PROVIDERS: readonly CloudProvider[] = ['aws', 'gcp', 'azure']
