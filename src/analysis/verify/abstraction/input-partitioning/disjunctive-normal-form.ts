import type { Condition, Rule } from '../../../../engine/index.ts'
import type { Atom } from '../condition-atoms.ts'

/** Atoms that one event has to satisfy together. */
export type Conjunction = readonly Atom[]

const MAX_CONJUNCTIONS = 96

/** Called with the atoms of the conjunctions beyond the limit. */
export type OmissionListener = (atoms: readonly Atom[]) => void
const limitConjunctions = (
  conjunctions: readonly Conjunction[],
  onOmission: OmissionListener,
): readonly Conjunction[] => {
  if (conjunctions.length > MAX_CONJUNCTIONS) onOmission(conjunctions.slice(MAX_CONJUNCTIONS).flat())
  return conjunctions.slice(0, MAX_CONJUNCTIONS)
}

/** Disjunctive normal form of a condition. Negated parts are dropped. */
export function toDnf(condition: Condition, onOmission: OmissionListener): readonly Conjunction[] {
  const each = (list: readonly Condition[]) => list.map(condition => toDnf(condition, onOmission))
  if ('all' in condition) return crossProduct(each(condition.all), onOmission)
  if ('any' in condition) return limitConjunctions(each(condition.any).flat(), onOmission)
  return 'key' in condition ? [[condition]] : [[]]
}

/** Every combination of one conjunction of each part. */
const crossProduct = (
  each: readonly (readonly Conjunction[])[],
  onOmission: OmissionListener,
): readonly Conjunction[] =>
  each.reduce<readonly Conjunction[]>(
    (combinations, one) =>
      limitConjunctions(
        one.flatMap(more => combinations.map(combination => [...combination, ...more])),
        onOmission,
      ),
    [[]],
  )

/** Conjunctions that an event may satisfy so that the rule does not fire: its `unless`, and the negated parts of `when`. */
export const toExemptionDnf = ({ when, unless }: Rule, onOmission: OmissionListener): readonly Conjunction[] =>
  [...(unless ? toDnf(unless, onOmission) : []), ...toNegatedDnf(when, onOmission)].filter(
    conjunction => conjunction.length > 0,
  )

function toNegatedDnf(condition: Condition, onOmission: OmissionListener): readonly Conjunction[] {
  const each = (list: readonly Condition[]) => list.map(condition => toNegatedDnf(condition, onOmission))
  if ('all' in condition) return limitConjunctions(each(condition.all).flat(), onOmission)
  if ('any' in condition) return crossProduct(each(condition.any), onOmission)
  return 'not' in condition ? toDnf(condition.not, onOmission) : [[]]
}
