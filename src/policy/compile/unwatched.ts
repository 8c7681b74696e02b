import type { Gate } from '../../core/index.ts'
import type { Condition } from '../../pattern/index.ts'
import type { Export } from '../policy.ts'
import { type Context, type Unit, warn } from './context.ts'

interface Watchers {
  readonly gates: readonly Omit<Gate, 'mode'>[]
  readonly exports: readonly Export[]
}

/** A gate that opens and closes while nothing looks at it refuses the same before and after: `while` was forgotten. */
export function warnOfUnwatched(context: Context, units: readonly Unit[], watchers: Watchers): void {
  for (const { parts, prefix, file } of units)
    for (const [name, doc] of Object.entries(parts.gates ?? {})) {
      const gate = watchers.gates.find(one => one.id === `${prefix}/${name}`)
      if (!gate?.rules.length || gate.transitions.length === 0 || isWatched(gate, watchers)) continue
      const at = { ...context, unit: { ...context.unit, file } }
      warn(at, doc, 'transitions', `no rule looks at the state of gate \`${name}\`: it says the same open and closed`, {
        help: `add \`while: ${gate.initial}\` to the rule that it is for`,
      })
    }
}

function isWatched(gate: Omit<Gate, 'mode'>, { gates, exports }: Watchers): boolean {
  const { id, code, rules, transitions } = gate
  if (code !== undefined || exports.some(one => one.gate === id)) return true
  if (transitions.some(one => one.message ?? one.context ?? one.capture)) return true
  if (rules.some(one => one.while ?? one.limit ?? COUNTER.exec(JSON.stringify(one)))) return true
  if (rules.some(one => [one.when, one.unless].some(when => has(when, part => part.key === 'since')))) return true
  return gates.some(other =>
    [...other.rules, ...other.transitions, { when: other.counts }].some(one =>
      [one.when, 'unless' in one ? one.unless : undefined].some(when =>
        has(when, part => part.key === 'gate' && part.states.some(state => state.gate === id)),
      ),
    ),
  )
}

/** In a text: since the state last changed. */
const COUNTER = /\{(?:operations|turns|seconds)[.}]/

type Part = Extract<Condition, { readonly key: string }>

function has(condition: Condition | undefined, is: (part: Part) => boolean): boolean {
  if (condition === undefined) return false
  if ('all' in condition) return condition.all.some(one => has(one, is))
  if ('any' in condition) return condition.any.some(one => has(one, is))
  return 'not' in condition ? has(condition.not, is) : is(condition)
}
