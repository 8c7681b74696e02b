import { type Act, matchCondition, type Scene } from '../core/index.ts'
import { type Condition, every, not, type Reading, some, type Truth } from '../pattern/index.ts'
import { gotOf } from './got.ts'
import { inWords } from './words.ts'

/** A condition as it was met by one act: what it asks, what it found, what came of it. */
export interface Seen {
  readonly truth: Truth
  /** the condition in words; of several, how they are joined */
  readonly says: string
  /** the value it looked at; absent where it only joins others */
  readonly got?: string
  readonly joins?: 'all' | 'any' | 'not'
  readonly parts?: readonly Seen[]
}

/** The same answer as `matchCondition`, with every leaf asked: each leaf is judged by that very function. */
export function seeCondition(condition: Condition, act: Act, scene: Scene, reading: Reading): Seen {
  const see = (one: Condition, as: Reading = reading) => seeCondition(one, act, scene, as)
  if ('all' in condition)
    return joined(
      'all',
      condition.all.map(one => see(one)),
    )
  if ('any' in condition)
    return joined(
      'any',
      condition.any.map(one => see(one)),
    )
  if ('not' in condition) return joined('not', [see(condition.not, reading === 'any' ? 'all' : 'any')])
  const truth = matchCondition(condition, act, scene, reading)
  const shown =
    truth === 'false' ? condition : decisive(condition, truth, one => matchCondition(one, act, scene, reading))
  return { truth, says: inWords(shown, scene.facts.root), got: gotOf(condition, act, scene) }
}

const joined = (joins: 'all' | 'any' | 'not', parts: readonly Seen[]): Seen => {
  const [only] = parts
  const truth =
    joins === 'all'
      ? every(parts, one => one.truth)
      : joins === 'any'
        ? some(parts, one => one.truth)
        : not(only?.truth ?? 'unknown')
  return { truth, says: WORDS[joins], joins, parts }
}

const WORDS = { all: 'all of', any: 'one of', not: 'not' }

/** Of a list the one that matched: nobody wants to read the other ninety-nine. */
function decisive(condition: Condition, truth: Truth, match: (one: Condition) => Truth): Condition {
  if (!('in' in condition) || condition.in.length < 2) return condition
  const alone: readonly Condition[] = condition.in.map(one => Object.assign({}, condition, { in: [one] }))
  return alone.find(one => match(one) === truth) ?? condition
}

/** How many leaves would have to be otherwise for it to be `wanted`. */
export function distance({ truth, joins, parts = [] }: Seen, wanted: boolean): number {
  if (joins === undefined) return truth === String(wanted) ? 0 : 1
  if (joins === 'not') return parts[0] ? distance(parts[0], !wanted) : 0
  const each = parts.map(one => distance(one, wanted))
  if ((joins === 'all') === wanted) return each.reduce((sum, one) => sum + one, 0)
  return each.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...each)
}

/** The leaves that keep it from being `wanted`. */
export function obstacles(seen: Seen, wanted: boolean): readonly Seen[] {
  const { truth, joins, parts = [] } = seen
  if (joins === undefined) return truth === String(wanted) ? [] : [seen]
  if (joins === 'not') return parts.flatMap(one => obstacles(one, !wanted))
  if ((joins === 'all') === wanted) return parts.flatMap(one => obstacles(one, wanted))
  const nearest = [...parts].sort((a, b) => distance(a, wanted) - distance(b, wanted))[0]
  return nearest ? obstacles(nearest, wanted) : []
}
