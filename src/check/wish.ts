import type { Rule } from '../core/index.ts'
import type { Condition } from '../pattern/index.ts'
import type { Atom } from './atom.ts'

/** Atoms that one event has to satisfy together. */
export type Wish = readonly Atom[]

const MOST = 96

/** The ways in which a condition can be met; what is negated is left to chance. */
export function wishesOf(condition: Condition): readonly Wish[] {
  if ('all' in condition) return combined(condition.all.map(wishesOf))
  if ('any' in condition) return condition.any.flatMap(wishesOf).slice(0, MOST)
  return 'not' in condition ? [[]] : [[condition]]
}

/** One of each, together. */
const combined = (each: readonly (readonly Wish[])[]): readonly Wish[] =>
  each.reduce<readonly Wish[]>(
    (ways, one) => one.flatMap(more => ways.map(way => [...way, ...more])).slice(0, MOST),
    [[]],
  )

/** What an event may have besides so that the rule does not speak of it: its exemption, or what it says must not be. */
export const escapesFrom = ({ when, unless }: Rule): readonly Wish[] =>
  [...(unless ? wishesOf(unless) : []), ...refutationsOf(when)].filter(wish => wish.length > 0)

function refutationsOf(condition: Condition): readonly Wish[] {
  if ('all' in condition) return condition.all.flatMap(refutationsOf).slice(0, MOST)
  if ('any' in condition) return combined(condition.any.map(refutationsOf))
  return 'not' in condition ? wishesOf(condition.not) : [[]]
}
