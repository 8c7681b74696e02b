import type { Condition, Rule } from '../../../../engine/index.ts'
import type { Atom } from '../condition-atoms.ts'

/** Atoms that one event has to satisfy together. */
export type Conjunction = readonly Atom[]

const MAX_CONJUNCTIONS = 96

/** Called with the atoms of the conjunctions beyond the limit. */
export type OmissionListener = (atoms: readonly Atom[]) => void
const limitConjunctions = (wishes: readonly Conjunction[], leave: OmissionListener): readonly Conjunction[] => {
  if (wishes.length > MAX_CONJUNCTIONS) leave(wishes.slice(MAX_CONJUNCTIONS).flat())
  return wishes.slice(0, MAX_CONJUNCTIONS)
}

/** Disjunctive normal form of a condition. Negated parts are dropped. */
export function toDnf(condition: Condition, leave: OmissionListener): readonly Conjunction[] {
  const each = (list: readonly Condition[]) => list.map(one => toDnf(one, leave))
  if ('all' in condition) return crossProduct(each(condition.all), leave)
  if ('any' in condition) return limitConjunctions(each(condition.any).flat(), leave)
  return 'not' in condition ? [[]] : [[condition]]
}

/** Every combination of one conjunction of each part. */
const crossProduct = (each: readonly (readonly Conjunction[])[], leave: OmissionListener): readonly Conjunction[] =>
  each.reduce<readonly Conjunction[]>(
    (ways, one) =>
      limitConjunctions(
        one.flatMap(more => ways.map(way => [...way, ...more])),
        leave,
      ),
    [[]],
  )

/** Conjunctions that an event may satisfy so that the rule does not fire: its `unless`, and the negated parts of `when`. */
export const toExemptionDnf = ({ when, unless }: Rule, leave: OmissionListener): readonly Conjunction[] =>
  [...(unless ? toDnf(unless, leave) : []), ...toNegatedDnf(when, leave)].filter(wish => wish.length > 0)

function toNegatedDnf(condition: Condition, leave: OmissionListener): readonly Conjunction[] {
  const each = (list: readonly Condition[]) => list.map(one => toNegatedDnf(one, leave))
  if ('all' in condition) return limitConjunctions(each(condition.all).flat(), leave)
  if ('any' in condition) return crossProduct(each(condition.any), leave)
  return 'not' in condition ? toDnf(condition.not, leave) : [[]]
}
