import type { Lexicon, LexiconEntry } from './lexicon.ts'
import type { RequestWord } from './request-text.ts'

/** Sums the points of each target, counting each cue once, for tables where order does not matter. */
export function sumVotes(
  lexicon: Lexicon,
  words: readonly RequestWord[],
  languages: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const found = new Set<LexiconEntry>()
  const lead = lexicon.leading(words, 0, languages)
  if (lead) found.add(lead.entry)
  for (let at = 0; at < words.length; ) {
    const hit = lexicon.at(words, at, languages)
    if (hit) found.add(hit.entry)
    at += hit?.words ?? 1
  }
  const sums = new Map<string, number>()
  for (const { votes } of found)
    for (const vote of votes)
      if (languages.has(vote.language)) sums.set(vote.for, (sums.get(vote.for) ?? 0) + vote.weight)
  return sums
}
