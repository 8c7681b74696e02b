import type { Rule } from '../core/index.ts'
import type { Condition } from '../pattern/index.ts'
import type { Atom } from './atom.ts'

/** Atoms that one event has to satisfy together. */
export type Wish = readonly Atom[]

const MOST = 96

/** Told of what is left out where there are too many ways. */
export type LeftOut = (atoms: readonly Atom[]) => void
const some = (wishes: readonly Wish[], leave: LeftOut): readonly Wish[] => {
  if (wishes.length > MOST) leave(wishes.slice(MOST).flat())
  return wishes.slice(0, MOST)
}

/** The ways in which a condition can be met; what is negated is left to chance. */
export function wishesOf(condition: Condition, leave: LeftOut): readonly Wish[] {
  const each = (list: readonly Condition[]) => list.map(one => wishesOf(one, leave))
  if ('all' in condition) return combined(each(condition.all), leave)
  if ('any' in condition) return some(each(condition.any).flat(), leave)
  return 'not' in condition ? [[]] : [[condition]]
}

/** One of each, together. */
const combined = (each: readonly (readonly Wish[])[], leave: LeftOut): readonly Wish[] =>
  each.reduce<readonly Wish[]>(
    (ways, one) =>
      some(
        one.flatMap(more => ways.map(way => [...way, ...more])),
        leave,
      ),
    [[]],
  )

/** What an event may have besides so that the rule does not speak of it: its exemption, or what it says must not be. */
export const escapesFrom = ({ when, unless }: Rule, leave: LeftOut): readonly Wish[] =>
  [...(unless ? wishesOf(unless, leave) : []), ...refutationsOf(when, leave)].filter(wish => wish.length > 0)

function refutationsOf(condition: Condition, leave: LeftOut): readonly Wish[] {
  const each = (list: readonly Condition[]) => list.map(one => refutationsOf(one, leave))
  if ('all' in condition) return some(each(condition.all).flat(), leave)
  if ('any' in condition) return combined(each(condition.any), leave)
  return 'not' in condition ? wishesOf(condition.not, leave) : [[]]
}
