import type { ExplainedDecision } from '../../../src/app/dashboard/api.ts'

/** Parts of the tree, by the names that the server gives them. */
export type ExplainedGate = ExplainedDecision['gates'][number]
export type ExplainedRule = ExplainedGate['rules'][number]
export type ExplainedTransition = ExplainedGate['transitions'][number]
export type ExplainedCondition = ExplainedRule['when']

const NEAR: ReadonlySet<string> = new Set(['fires', 'unsure', 'lets', 'exempt', 'near', 'before', 'limit'])
const STILL: ReadonlySet<string> = new Set(['event', 'clock', 'no', 'state'])

export const isRelevantRule = (gate: ExplainedGate, { fate, would }: ExplainedRule): boolean =>
  (NEAR.has(fate) && (gate.layer !== 'built-in' || fate !== 'near')) || (fate === 'state' && would)

export const changesState = ({ step }: ExplainedTransition): boolean => !STILL.has(step)

/** Worth a look for who does not want to see all. */
export const isRelevantGate = (gate: ExplainedGate): boolean =>
  (gate.verdict !== 'pass' && gate.verdict !== 'skip') ||
  gate.transitions.some(changesState) ||
  gate.rules.some(rule => isRelevantRule(gate, rule)) ||
  (gate.layer !== 'built-in' && gate.verdict === 'pass')

const STRICT = ['deny', 'error', 'ask', 'bypassed', 'warn', 'observed', 'allow', 'pass', 'skip']

/** Who decided stands first; those that had nothing to add last. */
export const byRelevance = (a: ExplainedGate, b: ExplainedGate): number => weightOf(a) - weightOf(b)

const weightOf = (gate: ExplainedGate): number =>
  STRICT.indexOf(gate.verdict) * 2 + (gate.rules.some(rule => isRelevantRule(gate, rule)) ? 0 : 1)

/** What all has to be met stands side by side; of a choice that is met, what met it. */
export function leavesOf(seen: ExplainedCondition): readonly ExplainedCondition[] {
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
