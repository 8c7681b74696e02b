import type { Gate, Rule } from '../core/index.ts'
import type { EventKind } from '../pattern/index.ts'
import { type Atom, atomsOf, kindsOf } from './atom.ts'
import type { Deed } from './deed.ts'
import type { Inquiry } from './inquiry.ts'
import { fieldKey } from './sampler.ts'
import type { State } from './state.ts'

/** What was tried in vain: the gates that would have to open, the rules that refuse what opens them, and of whom. */
interface Tried {
  readonly gates: readonly Gate[]
  readonly rules: readonly Rule[]
  readonly refused: readonly Deed[]
  readonly state: State
}

/** Why there may be a way all the same, if there may. */
export function doubtAbout(inquiry: Inquiry, { gates, rules, refused, state }: Tried): string | undefined {
  return (
    gates.map(gate => untriedFor(inquiry, gate)).find(Boolean) ??
    vagueIn(inquiry, gates, rules) ??
    refused.map(deed => deeper(inquiry, deed, state)).find(Boolean)
  )
}

const CALLING: readonly EventKind[] = ['tool.before', 'permission.request', 'tool.after', 'tool.failed']
const MADE: ReadonlySet<string> = new Set(['command', 'path', 'url', 'tool', 'input', 'assigns', 'whitelisted'])

/** There are calls it speaks of, and none could be made. */
function untriedFor({ field, view }: Inquiry, gate: Gate): string | undefined {
  if (field.movers(gate, 'open').length > 0) return undefined
  const isMade = gate.transitions.some(
    step =>
      step.to === 'open' &&
      kindsOf(step).some(kind => CALLING.includes(kind) && view.has(kind)) &&
      atomsOf(step.when).some(atom => MADE.has(atom.key)),
  )
  return isMade ? `no call could be made that is all that opens ${gate.name}` : undefined
}

/** Patterns meet in ways of which not all could be found. */
function vagueIn({ vague }: Inquiry, gates: readonly Gate[], rules: readonly Rule[]): string | undefined {
  const openings = gates.flatMap(gate => gate.transitions.filter(one => one.to === 'open'))
  const exempted = rules.flatMap(({ when, unless }) => [when, ...(unless ? [unless] : [])])
  const asked = [...openings.map(one => one.when), ...exempted].flatMap(atomsOf).flatMap(keysOf)
  const keys = [...new Set(asked)].filter(key => vague.has(key)).map(key => `\`${key}\``)
  if (keys.length === 0) return undefined
  return `not every ${keys.join(' and ')} that the patterns tell apart could be tried, and another may be let through`
}

const keysOf = (atom: Atom): readonly string[] =>
  atom.key === 'input' ? atom.fields.map(({ field }) => fieldKey(field)) : [atom.key]

/** The main agent may not spawn it, but another agent may: agents that spawn agents are not played. */
function deeper({ field, answer }: Inquiry, { spawns }: Deed, state: State): string | undefined {
  if (spawns === undefined) return undefined
  const others = field.deeds.filter(one => one.call?.spawns === spawns && one.by !== 'main' && one.by !== spawns)
  const free = others.find(one => answer(one, state)?.outcome.decision !== 'deny')
  return free && `${free.by} may spawn ${spawns}, and what agents of agents do is not played`
}
