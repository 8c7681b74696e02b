/** Joins the texts that are not empty, each once, in the given order. Most lists hold one text or none. */
export function joinDistinct(texts: readonly string[], between: string): string {
  const nonEmpty = texts.filter(text => text !== '')
  return nonEmpty.length > 1 ? [...new Set(nonEmpty)].join(between) : (nonEmpty[0] ?? '')
}

const SENTENCE_END = /(?<=[.!?])[ \t]+/
const SHORTEST = 12
/** A shorter text counts as a sentence only if it cannot be the rest of `e.g. gh`. */
const SHORT_SENTENCE = /^\p{Lu}.*\s.*[.!?]$/u

/** Removes sentences that an earlier text contains, and drops texts with nothing left. */
export function withoutRepeats<T extends { readonly text: string }>(texts: readonly T[]): readonly T[] {
  const printed = new Set<string>()
  return texts.flatMap(one => {
    const { text } = one
    const lines = text.split('\n').map(line => ({ line, sentences: line.split(SENTENCE_END) }))
    const isNew = (one: string) => !printed.has(one) || (one.length < SHORTEST && !SHORT_SENTENCE.test(one))
    const newLines = lines.flatMap(({ line, sentences }) => {
      const left = sentences.filter(isNew)
      return left.length === sentences.length ? [line] : left.length > 0 ? [left.join(' ')] : []
    })
    for (const { sentences } of lines) for (const sentence of sentences) printed.add(sentence)
    return newLines.join('').trim() === '' ? [] : [{ ...one, text: newLines.join('\n') }]
  })
}
