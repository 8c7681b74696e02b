import type { Condition } from '../pattern/index.ts'
import type { Atom } from './atom.ts'

/** Atoms that one event has to satisfy together. */
export type Wish = readonly Atom[]

const MOST = 96

/** The ways in which a condition can be met; what is negated is left to chance. */
export function wishesOf(condition: Condition): readonly Wish[] {
  if ('all' in condition)
    return condition.all.reduce<readonly Wish[]>(
      (ways, one) =>
        wishesOf(one)
          .flatMap(more => ways.map(way => [...way, ...more]))
          .slice(0, MOST),
      [[]],
    )
  if ('any' in condition) return condition.any.flatMap(wishesOf).slice(0, MOST)
  return 'not' in condition ? [[]] : [[condition]]
}
