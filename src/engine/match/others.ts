import type { Quantifier, Truth } from './three-valued.ts'

/** Nothing is known of an opaque item: it may contain any other. */
interface Item {
  readonly opaque?: boolean
}

interface Answers {
  readonly of: ReadonlyMap<Item, Truth>
  readonly matched: number
  readonly doubtful: number
}

/** By what is asked of the items, and within what: the same question has the same answers there. */
const known = new WeakMap<object, WeakMap<object, Partial<Record<Quantifier, Answers>>>>()

/**
 * Does an item other than this one match? Every item is asked once for all of them, so that a line of thousands of commands costs thousands
 * of questions and not millions.
 */
export function matchOthers<T extends Item>(
  own: T,
  items: readonly T[],
  question: { readonly condition: object; readonly within: object; readonly reading: Quantifier },
  ask: (item: T) => Truth,
): Truth {
  const { of, matched, doubtful } = answersTo(items, question, ask)
  const answer = of.get(own)
  if (matched > (answer === 'true' ? 1 : 0)) return 'true'
  return own.opaque || doubtful > (answer === 'unknown' ? 1 : 0) ? 'unknown' : 'false'
}

function answersTo<T extends Item>(
  items: readonly T[],
  { condition, within, reading }: { readonly condition: object; readonly within: object; readonly reading: Quantifier },
  ask: (item: T) => Truth,
): Answers {
  const ofWithin = known.get(within) ?? new WeakMap<object, Partial<Record<Quantifier, Answers>>>()
  known.set(within, ofWithin)
  const both = ofWithin.get(condition) ?? {}
  ofWithin.set(condition, both)
  if (both[reading]) return both[reading]
  const of = new Map(items.map(item => [item, ask(item)]))
  const count = (wanted: Truth) => [...of.values()].filter(answer => answer === wanted).length
  both[reading] = { of, matched: count('true'), doubtful: count('unknown') }
  return both[reading]
}
