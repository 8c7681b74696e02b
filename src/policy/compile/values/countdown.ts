import type { GateState } from '../../../engine/index.ts'
import type { ConditionDoc } from '../../schema/condition.ts'
import type { GateDoc } from '../../schema/gate.ts'

type Definitions = Readonly<Record<string, ConditionDoc>>

/** Counters of a gate that are still to be reached: `{remaining}` in a text counts down to them. */
export interface Countdown {
  readonly of: 'transition' | 'denial' | 'other rule' | 'own rule'
  /** the states of the gate in which it counts */
  readonly states: readonly GateState[]
  /** `operations.opened.50` */
  readonly counters: readonly string[]
  /** the rule it belongs to */
  readonly rule?: string
}

/** The text that `{remaining}` is in: of which rule, and the state of the gate when it is read. */
export interface CountdownReader {
  readonly rule?: string | undefined
  readonly states?: readonly GateState[] | undefined
}

const ANY_STATE: readonly GateState[] = ['open', 'closed']

/** All countdowns of a gate. */
export function countdownsOf(gate: GateDoc, definitions: Definitions = {}): readonly Countdown[] {
  const { transitions = [], rules = [] } = gate
  const all: readonly Countdown[] = [
    ...transitions.map(({ from, when }) => ({
      of: 'transition' as const,
      states: [from].flat(),
      counters: countersIn(when, definitions, true),
    })),
    ...rules.flatMap(({ id, while: state, when, unless = {}, then }, at) => {
      const owner = { rule: id ?? `rule-${at + 1}`, states: state ? [state] : ANY_STATE }
      const applies = [...countersIn(when, definitions, false), ...countersIn(unless, definitions, true)]
      const of = then === 'deny' || then === 'ask' ? ('denial' as const) : ('other rule' as const)
      return [
        { ...owner, of, counters: countersIn(when, definitions, true) },
        { ...owner, of: 'own rule' as const, counters: applies },
      ]
    }),
  ]
  return all.filter(({ counters }) => counters.length > 0)
}

/**
 * The counters that `{remaining}` can mean in a text. A rule that applies until a counter is reached speaks of that one, any other text of
 * the next transition of the gate, or else of what its other rules deny.
 */
export function remainingCounters(
  countdowns: readonly Countdown[],
  { rule, states = ANY_STATE }: CountdownReader,
): readonly string[] {
  const own = countdowns.filter(one => one.of === 'own rule' && one.rule === rule)
  const others = countdowns.filter(one => one.rule === undefined || one.rule !== rule)
  const counting = others.filter(one => one.states.some(state => states.includes(state)))
  const kinds = [
    own,
    ...(['transition', 'denial', 'other rule'] as const).map(of => counting.filter(one => one.of === of)),
  ]
  const found = kinds.find(list => list.length > 0) ?? []
  return [...new Set(found.flatMap(({ counters }) => counters))]
}

/**
 * The counters that must be reached (`wanted`), or must not be reached, for the condition to match. `visited` holds the definitions that
 * were looked at: definitions that use each other twice would otherwise be walked again and again.
 */
function countersIn(
  doc: ConditionDoc,
  definitions: Definitions,
  wanted: boolean,
  visited = new Set<string>(),
): readonly string[] {
  const inside = (part: ConditionDoc, same = true): readonly string[] =>
    countersIn(part, definitions, same ? wanted : !wanted, visited)
  const named = [doc.is ?? []].flat().filter(name => Object.hasOwn(definitions, name) && isNew(visited, name, wanted))
  return [
    ...(wanted ? Object.entries(doc.since ?? {}).flatMap(([mark, counters]) => namesOf(mark, counters)) : []),
    ...named.flatMap(name => inside(definitions[name] ?? {})),
    ...[...(doc.all ?? []), ...(doc.any ?? [])].flatMap(part => inside(part)),
    ...(doc.not ? inside(doc.not, false) : []),
  ]
}

function isNew(visited: Set<string>, name: string, wanted: boolean): boolean {
  const key = `${wanted} ${name}`
  if (visited.has(key)) return false
  visited.add(key)
  return true
}

const namesOf = (mark: string, counters: object): readonly string[] =>
  Object.entries(counters).map(([unit, atLeast]) => `${unit}.${mark}.${atLeast}`)
