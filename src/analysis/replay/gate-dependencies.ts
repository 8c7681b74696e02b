import type { Condition, Gate, Program } from '../../engine/index.ts'

/** What a gate looks at when it is asked. */
export interface GateDependencies {
  /** events that it has something to say of */
  readonly kinds: ReadonlySet<string>
  /** neither at a state, nor at what was captured or counted: of the same event it says the same */
  readonly isSteady: boolean
  /** nor at more of the event than what the call does, and these fields of its input; absent: it looks at more */
  readonly fields?: readonly string[]
  /** the lists it was looked at with */
  readonly allow: Program['allow']
}

type Leaf = Extract<Condition, { key: unknown }>

const SESSION_KEYS: ReadonlySet<string> = new Set(['gate', 'captured', 'since', 'approved'])
const EVENT_KEYS: ReadonlySet<string> = new Set(['caller', 'prompt', 'source', 'agent', 'succeeded'])

export function gateDependenciesOf(gate: Gate, { gates, allow }: Program): GateDependencies {
  const rules = [...gate.rules, ...(gate.routes?.list ?? [])]
  const leaves = rules.flatMap(({ when, unless }) => [
    ...leafConditions(when),
    ...(unless ? leafConditions(unless) : []),
  ])
  // a template is filled with what was captured
  const isCaptured = gates.some(({ transitions }) => transitions.some(({ capture }) => capture !== undefined))
  const isSteady =
    gate.initial === undefined &&
    !isCaptured &&
    rules.every(({ limit }) => limit === undefined) &&
    leaves.every(({ key }) => !SESSION_KEYS.has(key))
  const kinds = new Set<string>(rules.flatMap(({ events }) => events))
  if (leaves.some(({ key }) => EVENT_KEYS.has(key))) return { kinds, isSteady, allow }
  const named = leaves.flatMap(leaf => (leaf.key === 'input' ? leaf.fields.map(({ field }) => field) : []))
  return { kinds, isSteady, fields: [...new Set(named)], allow }
}

function leafConditions(condition: Condition): readonly Leaf[] {
  if ('all' in condition) return condition.all.flatMap(leafConditions)
  if ('any' in condition) return condition.any.flatMap(leafConditions)
  return 'not' in condition ? leafConditions(condition.not) : [condition]
}
