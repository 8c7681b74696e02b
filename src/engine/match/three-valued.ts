/** Kleene's three values. Written out so that a record shows them as words. */
export type Truth = 'true' | 'false' | 'unknown'

export const truthOf = (value: boolean): Truth => (value ? 'true' : 'false')

export const negate = (a: Truth): Truth => (a === 'true' ? 'false' : a === 'false' ? 'true' : 'unknown')

/** All of them; asks no further than the first `false`. */
export function everyTruth<T>(items: readonly T[], ask: (item: T) => Truth): Truth {
  let result: Truth = 'true'
  for (const item of items) {
    const answer = ask(item)
    if (answer === 'false') return 'false'
    if (answer === 'unknown') result = 'unknown'
  }
  return result
}

/** Any of them; asks no further than the first `true`. */
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
 * Where something can be read in several ways, a rule takes any reading that matches; an exemption (`unless`,
 * a whitelist, the opening of a gate) needs all of them to.
 */
export type Quantifier = 'any' | 'all'
