import { toneOf } from './tone.ts'

const LOUD: Readonly<Record<string, string>> = { deny: 'DENY', ask: 'ASK', error: 'ERROR' }

/** What came of it. Loud where somebody was stopped. */
export function Word({ word }: { readonly word: string }) {
  return (
    <span className="word" data-tone={toneOf(word)}>
      {LOUD[word] ?? word}
    </span>
  )
}
