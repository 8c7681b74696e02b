import { type Gate, leavesOf, type Program } from '../../engine/index.ts'

/** What the verdict of a gate depends on. */
export interface GateDependencies {
  /** kinds of events that its rules match */
  readonly kinds: ReadonlySet<string>
  /** depends on no state, capture or counter: the same event always gets the same verdict */
  readonly isStateless: boolean
  /** input fields that it reads; absent if it depends on more of the event than its actions and these fields */
  readonly fields?: readonly string[]
  /** the allowlists for which this was computed */
  readonly allow: Program['allow']
}

const SESSION_KEYS: ReadonlySet<string> = new Set(['gate', 'captured', 'since', 'approved', 'file'])
const EVENT_KEYS: ReadonlySet<string> = new Set(['caller', 'prompt', 'source', 'agent', 'succeeded'])

export function gateDependenciesOf(gate: Gate, { gates, allow }: Program): GateDependencies {
  const rules = [...gate.rules, ...(gate.routes?.list ?? [])]
  const leaves = rules.flatMap(({ when, unless }) => [...leavesOf(when), ...(unless ? leavesOf(unless) : [])])
  // Captured values fill templates in conditions.
  const isCaptured = gates.some(({ transitions }) => transitions.some(({ capture }) => capture !== undefined))
  const isSteady =
    gate.initial === undefined &&
    !isCaptured &&
    rules.every(({ limit }) => limit === undefined) &&
    leaves.every(({ key }) => !SESSION_KEYS.has(key))
  const kinds = new Set<string>(rules.flatMap(({ events }) => events))
  if (leaves.some(({ key }) => EVENT_KEYS.has(key))) return { kinds, isStateless: isSteady, allow }
  const named = leaves.flatMap(leaf => (leaf.key === 'input' ? leaf.fields.map(({ field }) => field) : []))
  return { kinds, isStateless: isSteady, fields: [...new Set(named)], allow }
}
