import type { Condition, Gate } from '../../../engine/index.ts'
import type { GateExport } from '../../policy.ts'
import { type CompileContext, type PolicyUnit, reportWarning } from '../context.ts'

interface StateReaders {
  readonly gates: readonly Omit<Gate, 'mode'>[]
  readonly exports: readonly GateExport[]
}

/** Warns of a gate that opens and closes while nothing uses its state: `while` was probably forgotten. */
export function warnOfUnusedState(context: CompileContext, units: readonly PolicyUnit[], watchers: StateReaders): void {
  for (const { parts, prefix, file } of units)
    for (const [name, doc] of Object.entries(parts.gates ?? {})) {
      const gate = watchers.gates.find(omit => omit.id === `${prefix}/${name}`)
      if (!gate?.rules.length || gate.transitions.length === 0 || isStateUsed(gate, watchers)) continue
      const at = { ...context, unit: { ...context.unit, file } }
      reportWarning(
        at,
        doc,
        'transitions',
        `no rule uses the state of gate \`${name}\`: it decides the same whether open or closed`,
        {
          help: `add \`while: ${gate.initial}\` to the rule that should depend on the state`,
        },
      )
    }
}

function isStateUsed(gate: Omit<Gate, 'mode'>, { gates, exports }: StateReaders): boolean {
  const { id, code, rules, transitions } = gate
  if (code !== undefined || exports.some(gateExport => gateExport.gate === id)) return true
  if (transitions.some(transition => transition.message ?? transition.context ?? transition.capture)) return true
  if (rules.some(rule => rule.while ?? rule.limit ?? COUNTER_VARIABLE.exec(JSON.stringify(rule)))) return true
  if (rules.some(rule => [rule.when, rule.unless].some(when => someLeaf(when, part => part.key === 'since'))))
    return true
  return gates.some(other =>
    [...other.rules, ...other.transitions, { when: other.counts }].some(candidate =>
      [candidate.when, 'unless' in candidate ? candidate.unless : undefined].some(when =>
        someLeaf(when, part => part.key === 'gate' && part.states.some(state => state.gate === id)),
      ),
    ),
  )
}

/** A counter in a text. It counts since the state last changed. */
const COUNTER_VARIABLE = /\{\??(?:operations|turns|seconds)[.}]/

type ConditionLeaf = Extract<Condition, { readonly key: string }>

function someLeaf(condition: Condition | undefined, is: (part: ConditionLeaf) => boolean): boolean {
  if (condition === undefined) return false
  if ('all' in condition) return condition.all.some(candidate => someLeaf(candidate, is))
  if ('any' in condition) return condition.any.some(candidate => someLeaf(candidate, is))
  if ('with' in condition) return someLeaf(condition.with, is)
  return 'not' in condition ? someLeaf(condition.not, is) : is(condition)
}
