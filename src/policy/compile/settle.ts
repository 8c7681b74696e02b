import type { Gate } from '../../core/index.ts'
import type { Condition } from '../../pattern/index.ts'
import type { Draft } from './gate.ts'

/** The gates that are on. Who waits for a gate that is off waits for nothing: it counts as open. */
export function gatesOf(drafts: readonly Draft[]): readonly Gate[] {
  const off = new Set(idsOff(drafts))
  return drafts.flatMap(({ gate, mode }) =>
    mode === 'off' ? [] : [off.size === 0 ? { ...gate, mode } : settled({ ...gate, mode }, off)],
  )
}

export const idsOff = (drafts: readonly Draft[]): readonly string[] =>
  drafts.filter(draft => draft.mode === 'off').map(draft => draft.gate.id)

function settled(gate: Gate, off: ReadonlySet<string>): Gate {
  return {
    ...gate,
    ...(gate.counts ? { counts: settle(gate.counts, off) } : {}),
    transitions: gate.transitions.map(one => ({ ...one, when: settle(one.when, off) })),
    rules: gate.rules.map(one => ({
      ...one,
      when: settle(one.when, off),
      ...(one.unless ? { unless: settle(one.unless, off) } : {}),
    })),
  }
}

function settle(condition: Condition, off: ReadonlySet<string>): Condition {
  if ('all' in condition) return { all: condition.all.map(one => settle(one, off)) }
  if ('any' in condition) return { any: condition.any.map(one => settle(one, off)) }
  if ('not' in condition) return { not: settle(condition.not, off) }
  if (condition.key !== 'gate') return condition
  const states = condition.states.filter(one => !off.has(one.gate))
  const holds = condition.states.every(one => !off.has(one.gate) || one.state.includes('open'))
  return holds ? { key: 'gate', states } : { any: [] }
}
