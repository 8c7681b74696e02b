import { meaningOf, shownWord } from '../words/outcome.ts'
import { toneOf } from './tone.ts'

/** What came of it. */
export function Word({ word }: { readonly word: string }) {
  return (
    <span className="word" data-tone={toneOf(word)} title={meaningOf(word)}>
      {shownWord(word)}
    </span>
  )
}
