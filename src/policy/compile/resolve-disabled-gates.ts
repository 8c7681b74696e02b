import type { Condition, Gate } from '../../engine/index.ts'
import type { GateDraft } from './gates/overrides.ts'

/** The gates that are not off. In conditions, a gate that is off counts as open, so that nothing waits for it. */
export function enabledGatesOf(drafts: readonly GateDraft[]): readonly Gate[] {
  const off = new Set(disabledGateIds(drafts))
  return drafts.flatMap(({ gate, mode }) =>
    mode === 'off' ? [] : [off.size === 0 ? { ...gate, mode } : resolveGate({ ...gate, mode }, off)],
  )
}

export const disabledGateIds = (drafts: readonly GateDraft[]): readonly string[] =>
  drafts.filter(draft => draft.mode === 'off').map(draft => draft.gate.id)

function resolveGate(gate: Gate, off: ReadonlySet<string>): Gate {
  return {
    ...gate,
    ...(gate.counts ? { counts: resolveCondition(gate.counts, off) } : {}),
    transitions: gate.transitions.map(one => ({ ...one, when: resolveCondition(one.when, off) })),
    rules: gate.rules.map(one => ({
      ...one,
      when: resolveCondition(one.when, off),
      ...(one.unless ? { unless: resolveCondition(one.unless, off) } : {}),
    })),
  }
}

function resolveCondition(condition: Condition, off: ReadonlySet<string>): Condition {
  if ('all' in condition) return { all: condition.all.map(one => resolveCondition(one, off)) }
  if ('any' in condition) return { any: condition.any.map(one => resolveCondition(one, off)) }
  if ('not' in condition) return { not: resolveCondition(condition.not, off) }
  if (condition.key !== 'gate') return condition
  const states = condition.states.filter(one => !off.has(one.gate))
  const isMet = condition.states.every(one => !off.has(one.gate) || one.state.includes('open'))
  return isMet ? { key: 'gate', states } : { any: [] }
}
