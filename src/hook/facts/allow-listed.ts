import type { Event, Program, Rule } from '../../engine/index.ts'
import { type Condition, type Layer, matchAllowLists, type Regex } from '../../engine/index.ts'

/** Whether `allow` lists clear every part of this call, in a policy that uses them. Only for the record: no decision depends on it. */
export function isAllowListed({ kind, call }: Event, program: Program, regex: Regex): boolean {
  if (kind !== 'tool.before' || !call || call.acts.length === 0 || program.allow.length === 0) return false
  const layers = layersOf(program)
  const tools = { regex, fill: (value: string) => value }
  return (
    layers.length > 0 &&
    call.acts.every(act => !act.opaque && matchAllowLists(program.allow, layers, act, tools) === 'true')
  )
}

/** The layers whose lists the rules use. Cached, since the daemon evaluates the same program again and again. */
function layersOf(program: Program): readonly Layer[] {
  const known = asked.get(program)
  if (known) return known
  const rules: readonly Rule[] = program.gates.flatMap(({ rules, routes }) => [...rules, ...(routes?.list ?? [])])
  const layers = [
    ...new Set(rules.flatMap(({ when, unless }) => [...layersIn(when), ...(unless ? layersIn(unless) : [])])),
  ]
  asked.set(program, layers)
  return layers
}
const asked = new WeakMap<Program, readonly Layer[]>()

function layersIn(condition: Condition): readonly Layer[] {
  if ('all' in condition) return condition.all.flatMap(layersIn)
  if ('any' in condition) return condition.any.flatMap(layersIn)
  if ('not' in condition) return layersIn(condition.not)
  return condition.key === 'whitelisted' ? condition.layers : []
}
