import {
  type Action,
  type Condition,
  everyTruth,
  type MatchContext,
  matchCondition,
  negate,
  programName,
  type Quantifier,
  someTruth,
  type Truth,
} from '../../engine/index.ts'
import { actualValueOf, otherActionsText } from './actual-value.ts'
import { describeCondition } from './condition-text.ts'

/** How one action met a condition: what the condition requires, what it found and the result. */
export interface ConditionTrace {
  readonly truth: Truth
  /** the condition in words; for a combination, how its parts are joined */
  readonly text: string
  /** key of the condition: `command`, `path` … */
  readonly key?: string
  /** the value it was compared with; absent for a combination */
  readonly actual?: string
  /** nearly met: another command of the same program, another page of the same host */
  readonly close?: true
  readonly operator?: 'all' | 'any' | 'not'
  readonly parts?: readonly ConditionTrace[]
}

/** Same result as `matchCondition`, but evaluates every leaf, each with `matchCondition` itself. */
export function traceCondition(
  condition: Condition,
  action: Action,
  context: MatchContext,
  reading: Quantifier,
): ConditionTrace {
  const see = (item: Condition, as: Quantifier = reading) => traceCondition(item, action, context, as)
  if ('all' in condition)
    return joinTraces(
      'all',
      condition.all.map(item => see(item)),
    )
  if ('any' in condition)
    return joinTraces(
      'any',
      condition.any.map(item => see(item)),
    )
  if ('not' in condition) return joinTraces('not', [see(condition.not, reading === 'any' ? 'all' : 'any')])
  const truth = matchCondition(condition, action, context, reading)
  const near = truth === 'false' ? nearAlternatives(condition, action) : undefined
  const met =
    truth === 'false'
      ? condition
      : matchingAlternative(condition, truth, item => matchCondition(item, action, context, reading))
  return {
    truth,
    text: describeCondition(near ?? met, context.facts.root),
    ...('with' in condition
      ? { key: 'with', actual: otherActionsText(action, context.event) }
      : { key: condition.key, actual: actualValueOf(condition, action, context) }),
    ...(near && { close: true }),
  }
}

const joinTraces = (joins: 'all' | 'any' | 'not', parts: readonly ConditionTrace[]): ConditionTrace => {
  const [only] = parts
  const truth =
    joins === 'all'
      ? everyTruth(parts, trace => trace.truth)
      : joins === 'any'
        ? someTruth(parts, trace => trace.truth)
        : negate(only?.truth ?? 'unknown')
  return { truth, text: JOIN_PHRASES[joins], operator: joins, parts }
}

const JOIN_PHRASES = { all: 'all of', any: 'one of', not: 'not' }

/** Narrows a list of alternatives to the matching alternative, so the output does not print a hundred others. */
function matchingAlternative(condition: Condition, truth: Truth, match: (item: Condition) => Truth): Condition {
  if (!('in' in condition) || condition.in.length < 2) return condition
  const alone: readonly Condition[] = condition.in.map(item => Object.assign({}, condition, { in: [item] }))
  return alone.find(candidate => match(candidate) === truth) ?? condition
}

/** Narrows an unmet list to the alternatives that nearly match; undefined if there are none. */
function nearAlternatives(condition: Condition, { words, url }: Action): Condition | undefined {
  if (!('key' in condition)) return undefined
  if (condition.key === 'command') {
    const program = words?.[0]?.text
    const same = condition.in.filter(
      matcher => 'program' in matcher && program && matcher.program === programName(program),
    )
    return same.length > 0 ? { ...condition, in: same } : undefined
  }
  if (condition.key !== 'url' || !url) return undefined
  const host = /^\w+:\/\/([^/?#]*)/.exec(url)?.[1]
  const same = condition.in.filter(pattern => 'template' in pattern && pattern.template.host === host)
  return same.length > 0 ? { ...condition, in: same } : undefined
}

/** Exactly one leaf is unmet, and either that leaf is `close` or another leaf than the kind of event is met. */
export function isNearMiss(seen: ConditionTrace): boolean {
  if (unmetLeafCount(seen, true) !== 1) return false
  return (
    unmetLeaves(seen, true).some(leaf => leaf.close) ||
    leafTraces(seen).some(trace => trace.truth === 'true' && trace.key !== 'event')
  )
}

const leafTraces = (trace: ConditionTrace): readonly ConditionTrace[] =>
  trace.parts ? trace.parts.flatMap(leafTraces) : [trace]

/** The smallest number of leaves that would have to change for the condition to be `wanted`. */
export function unmetLeafCount({ truth, operator: joins, parts = [] }: ConditionTrace, wanted: boolean): number {
  if (joins === undefined) return truth === String(wanted) ? 0 : 1
  if (joins === 'not') return parts[0] ? unmetLeafCount(parts[0], !wanted) : 0
  const each = parts.map(part => unmetLeafCount(part, wanted))
  if ((joins === 'all') === wanted) return each.reduce((sum, n) => sum + n, 0)
  return each.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...each)
}

/** The leaves that keep the condition from being `wanted`. A leaf that is met but should not be is returned negated (`not …`). */
export function unmetLeaves(trace: ConditionTrace, wanted: boolean): readonly ConditionTrace[] {
  const { truth, operator: joins, text, parts = [] } = trace
  if (joins === undefined) {
    if (truth === String(wanted)) return []
    return [wanted ? trace : { ...trace, truth: truth === 'true' ? 'false' : truth, text: `not ${text}` }]
  }
  if (joins === 'not') return parts.flatMap(part => unmetLeaves(part, !wanted))
  if ((joins === 'all') === wanted) return parts.flatMap(part => unmetLeaves(part, wanted))
  const nearest = [...parts].sort((a, b) => unmetLeafCount(a, wanted) - unmetLeafCount(b, wanted))[0]
  return nearest ? unmetLeaves(nearest, wanted) : []
}
