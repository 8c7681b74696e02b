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
import { actualValueOf } from './actual-value.ts'
import { describeCondition } from './condition-text.ts'

/** A condition as it was met by one act: what it asks, what it found, what came of it. */
export interface ConditionTrace {
  readonly truth: Truth
  /** the condition in words; of several, how they are joined */
  readonly says: string
  /** what it asks for: `command`, `path` … */
  readonly key?: string
  /** the value it looked at; absent where it only joins others */
  readonly got?: string
  /** not met, but not by much: another command of the same program, another page of the same host */
  readonly close?: true
  readonly joins?: 'all' | 'any' | 'not'
  readonly parts?: readonly ConditionTrace[]
}

/** The same answer as `matchCondition`, with every leaf asked: each leaf is judged by that very function. */
export function traceCondition(
  condition: Condition,
  act: Action,
  scene: MatchContext,
  reading: Quantifier,
): ConditionTrace {
  const see = (one: Condition, as: Quantifier = reading) => traceCondition(one, act, scene, as)
  if ('all' in condition)
    return joinTraces(
      'all',
      condition.all.map(one => see(one)),
    )
  if ('any' in condition)
    return joinTraces(
      'any',
      condition.any.map(one => see(one)),
    )
  if ('not' in condition) return joinTraces('not', [see(condition.not, reading === 'any' ? 'all' : 'any')])
  const truth = matchCondition(condition, act, scene, reading)
  const near = truth === 'false' ? nearAlternatives(condition, act) : undefined
  const met =
    truth === 'false'
      ? condition
      : matchingAlternative(condition, truth, one => matchCondition(one, act, scene, reading))
  return {
    truth,
    says: describeCondition(near ?? met, scene.facts.root),
    key: condition.key,
    got: actualValueOf(condition, act, scene),
    ...(near && { close: true }),
  }
}

const joinTraces = (joins: 'all' | 'any' | 'not', parts: readonly ConditionTrace[]): ConditionTrace => {
  const [only] = parts
  const truth =
    joins === 'all'
      ? everyTruth(parts, one => one.truth)
      : joins === 'any'
        ? someTruth(parts, one => one.truth)
        : negate(only?.truth ?? 'unknown')
  return { truth, says: JOIN_PHRASES[joins], joins, parts }
}

const JOIN_PHRASES = { all: 'all of', any: 'one of', not: 'not' }

/** Of a list the one that matched: nobody wants to read the other ninety-nine. */
function matchingAlternative(condition: Condition, truth: Truth, match: (one: Condition) => Truth): Condition {
  if (!('in' in condition) || condition.in.length < 2) return condition
  const alone: readonly Condition[] = condition.in.map(one => Object.assign({}, condition, { in: [one] }))
  return alone.find(one => match(one) === truth) ?? condition
}

/** Of a list that is not met those that came near; undefined where none did. */
function nearAlternatives(condition: Condition, { words, url }: Action): Condition | undefined {
  if (!('key' in condition)) return undefined
  if (condition.key === 'command') {
    const program = words?.[0]?.text
    const same = condition.in.filter(one => 'program' in one && program && one.program === programName(program))
    return same.length > 0 ? { ...condition, in: same } : undefined
  }
  if (condition.key !== 'url' || !url) return undefined
  const host = /^\w+:\/\/([^/?#]*)/.exec(url)?.[1]
  const same = condition.in.filter(one => 'template' in one && one.template.host === host)
  return same.length > 0 ? { ...condition, in: same } : undefined
}

/** One leaf is in its way, and something was met besides the kind of event; or that leaf was nearly met. */
export function isNearMiss(seen: ConditionTrace): boolean {
  if (unmetLeafCount(seen, true) !== 1) return false
  return (
    unmetLeaves(seen, true).some(one => one.close) ||
    leafTraces(seen).some(one => one.truth === 'true' && one.key !== 'event')
  )
}

const leafTraces = (seen: ConditionTrace): readonly ConditionTrace[] =>
  seen.parts ? seen.parts.flatMap(leafTraces) : [seen]

/** How many leaves would have to be otherwise for it to be `wanted`. */
export function unmetLeafCount({ truth, joins, parts = [] }: ConditionTrace, wanted: boolean): number {
  if (joins === undefined) return truth === String(wanted) ? 0 : 1
  if (joins === 'not') return parts[0] ? unmetLeafCount(parts[0], !wanted) : 0
  const each = parts.map(one => unmetLeafCount(one, wanted))
  if ((joins === 'all') === wanted) return each.reduce((sum, one) => sum + one, 0)
  return each.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...each)
}

/** The leaves that keep it from being `wanted`. One that is met and should not be is turned into what should be met. */
export function unmetLeaves(seen: ConditionTrace, wanted: boolean): readonly ConditionTrace[] {
  const { truth, joins, says, parts = [] } = seen
  if (joins === undefined) {
    if (truth === String(wanted)) return []
    return [wanted ? seen : { ...seen, truth: truth === 'true' ? 'false' : truth, says: `not ${says}` }]
  }
  if (joins === 'not') return parts.flatMap(one => unmetLeaves(one, !wanted))
  if ((joins === 'all') === wanted) return parts.flatMap(one => unmetLeaves(one, wanted))
  const nearest = [...parts].sort((a, b) => unmetLeafCount(a, wanted) - unmetLeafCount(b, wanted))[0]
  return nearest ? unmetLeaves(nearest, wanted) : []
}
