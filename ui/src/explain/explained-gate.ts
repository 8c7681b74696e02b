import type { ExplainedDecision } from '../../../src/app/dashboard/api.ts'

/** Parts of the explanation tree. */
export type ExplainedGate = ExplainedDecision['gates'][number]
export type ExplainedRule = ExplainedGate['rules'][number]
export type ExplainedTransition = ExplainedGate['transitions'][number]
export type ExplainedCondition = ExplainedRule['when']

const NEAR: ReadonlySet<string> = new Set(['fires', 'unsure', 'lets', 'exempt', 'near', 'before', 'limit'])
const STILL: ReadonlySet<string> = new Set(['event', 'clock', 'no', 'state'])

export const isRelevantRule = (gate: ExplainedGate, { result: fate, wouldMatch: would }: ExplainedRule): boolean =>
  (NEAR.has(fate) && (gate.layer !== 'built-in' || fate !== 'near')) || (fate === 'state' && would)

export const changesState = ({ result: step }: ExplainedTransition): boolean => !STILL.has(step)

/** Whether the gate is shown in the short view. */
export const isRelevantGate = (gate: ExplainedGate): boolean =>
  (gate.verdict !== 'pass' && gate.verdict !== 'skip') ||
  gate.transitions.some(changesState) ||
  gate.rules.some(rule => isRelevantRule(gate, rule)) ||
  (gate.layer !== 'built-in' && gate.verdict === 'pass')

const STRICT = ['deny', 'error', 'ask', 'bypassed', 'warn', 'observed', 'allow', 'pass', 'skip']

/** Sorts the gate that decided first, and gates without relevant rules last. */
export const byRelevance = (a: ExplainedGate, b: ExplainedGate): number => weightOf(a) - weightOf(b)

const weightOf = (gate: ExplainedGate): number =>
  STRICT.indexOf(gate.verdict) * 2 + (gate.rules.some(rule => isRelevantRule(gate, rule)) ? 0 : 1)

/** Flattens a condition: all parts of an `all`; of an `any` that matched, the part that matched. */
export function leavesOf(seen: ExplainedCondition): readonly ExplainedCondition[] {
  const { operator: joins, parts = [], truth } = seen
  if (joins === 'all') return parts.flatMap(leavesOf)
  if (joins === 'any' && truth === 'true')
    return parts
      .filter(part => part.truth === 'true')
      .slice(0, 1)
      .flatMap(leavesOf)
  const [only, second] = parts
  return joins === 'any' && only && !second ? leavesOf(only) : [seen]
}
