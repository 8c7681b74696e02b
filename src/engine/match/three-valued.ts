/** Kleene's three values. Written out so that a record shows them as words. */
export type Truth = 'true' | 'false' | 'unknown'

export const truthOf = (value: boolean): Truth => (value ? 'true' : 'false')

export const negate = (a: Truth): Truth => (a === 'true' ? 'false' : a === 'false' ? 'true' : 'unknown')

/** `true` if all items are; stops at the first `false`. */
export function everyTruth<T>(items: readonly T[], ask: (item: T) => Truth): Truth {
  let result: Truth = 'true'
  for (const item of items) {
    const answer = ask(item)
    if (answer === 'false') return 'false'
    if (answer === 'unknown') result = 'unknown'
  }
  return result
}

/** `true` if any item is; stops at the first `true`. */
export function someTruth<T>(items: readonly T[], ask: (item: T) => Truth): Truth {
  let result: Truth = 'false'
  for (const item of items) {
    const answer = ask(item)
    if (answer === 'true') return 'true'
    if (answer === 'unknown') result = 'unknown'
  }
  return result
}

/**
 * If a line can be read in several ways, a rule matches if any reading matches; an exemption (`unless`,
 * an allowlist, the opening of a gate) needs all readings to match.
 */
export type Quantifier = 'any' | 'all'
