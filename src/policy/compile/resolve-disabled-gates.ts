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
    transitions: gate.transitions.map(transition => ({ ...transition, when: resolveCondition(transition.when, off) })),
    rules: gate.rules.map(rule => ({
      ...rule,
      when: resolveCondition(rule.when, off),
      ...(rule.unless ? { unless: resolveCondition(rule.unless, off) } : {}),
    })),
  }
}

function resolveCondition(condition: Condition, off: ReadonlySet<string>): Condition {
  if ('all' in condition) return { all: condition.all.map(item => resolveCondition(item, off)) }
  if ('any' in condition) return { any: condition.any.map(item => resolveCondition(item, off)) }
  if ('not' in condition) return { not: resolveCondition(condition.not, off) }
  if ('with' in condition || condition.key !== 'gate') return condition
  const states = condition.states.filter(state => !off.has(state.gate))
  const isMet = condition.states.every(state => !off.has(state.gate) || state.state.includes('open'))
  return isMet ? { key: 'gate', states } : { any: [] }
}
