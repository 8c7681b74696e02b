import type { Explained } from '../../../src/dashboard/api.ts'

/** Parts of the tree, by the names that the server gives them. */
export type GateSeen = Explained['gates'][number]
export type RuleSeen = GateSeen['rules'][number]
export type TransitionSeen = GateSeen['transitions'][number]
export type Seen = RuleSeen['when']

const NEAR: ReadonlySet<string> = new Set(['fires', 'unsure', 'lets', 'exempt', 'near', 'before', 'limit'])
const STILL: ReadonlySet<string> = new Set(['event', 'clock', 'no', 'state'])

export const isTelling = (gate: GateSeen, { fate, would }: RuleSeen): boolean =>
  (NEAR.has(fate) && (gate.layer !== 'built-in' || fate !== 'near')) || (fate === 'state' && would)

export const isMoving = ({ step }: TransitionSeen): boolean => !STILL.has(step)

/** Worth a look for who does not want to see all. */
export const isOfInterest = (gate: GateSeen): boolean =>
  (gate.verdict !== 'pass' && gate.verdict !== 'skip') ||
  gate.transitions.some(isMoving) ||
  gate.rules.some(rule => isTelling(gate, rule)) ||
  (gate.layer !== 'built-in' && gate.verdict === 'pass')

const STRICT = ['deny', 'error', 'ask', 'bypassed', 'warn', 'observed', 'allow', 'pass', 'skip']

/** Who decided stands first; those that had nothing to add last. */
export const byWeight = (a: GateSeen, b: GateSeen): number => weightOf(a) - weightOf(b)

const weightOf = (gate: GateSeen): number =>
  STRICT.indexOf(gate.verdict) * 2 + (gate.rules.some(rule => isTelling(gate, rule)) ? 0 : 1)

/** What all has to be met stands side by side; of a choice that is met, what met it. */
export function leavesOf(seen: Seen): readonly Seen[] {
  const { joins, parts = [], truth } = seen
  if (joins === 'all') return parts.flatMap(leavesOf)
  if (joins === 'any' && truth === 'true')
    return parts
      .filter(one => one.truth === 'true')
      .slice(0, 1)
      .flatMap(leavesOf)
  const [only, second] = parts
  return joins === 'any' && only && !second ? leavesOf(only) : [seen]
}
