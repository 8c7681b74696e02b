import { decisionLabel, decisionMeaning } from '../words/outcome.ts'
import { toneOf } from './tone.ts'

/** The word of a decision. */
export function DecisionBadge({ word }: { readonly word: string }) {
  return (
    <span className="word" data-tone={toneOf(word)} title={decisionMeaning(word)}>
      {decisionLabel(word)}
    </span>
  )
}
