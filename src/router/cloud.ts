import { points } from './count.ts'
import { Lexicon } from './lexicon.ts'
import { CLOUDS, NAMED } from './tables/clouds.ts'
import type { Word } from './text.ts'

export type Cloud = keyof typeof CLOUDS

const ENGLISH = new Set(['en'])
let lexicon: Lexicon | undefined

/** The cloud it is about. Two that are named alike are none: the request has to say which. */
export function cloudOf(words: readonly Word[]): Cloud | null {
  lexicon ??= new Lexicon(CLOUDS)
  const said = points(lexicon, words, ENGLISH)
  const [first, second] = clouds.map(cloud => ({ cloud, sum: said.get(cloud) ?? 0 })).sort((a, b) => b.sum - a.sum)
  return first && first.sum >= NAMED && first.sum > (second?.sum ?? 0) ? first.cloud : null
}

const clouds: readonly Cloud[] = ['aws', 'gcp', 'azure']
