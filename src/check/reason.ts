import type { Gate } from '../core/index.ts'
import { type Atom, atomsOf, isAboutState } from './atom.ts'
import { type Deed, mayHappen } from './deed.ts'
import type { Inquiry } from './inquiry.ts'
import type { State } from './state.ts'

/** Why something that nobody refuses does not get the gate open for good. */
export interface Reason {
  readonly says: string
  /** gates that it closes, or that have to be open first: what opens them is the rest of the story */
  readonly next: readonly Gate[]
}

/** It is done here, with every gate in force, and what came of it is looked at. */
export function reasonOf(inquiry: Inquiry, gate: Gate, deed: Deed, words: string, at: State): Reason | undefined {
  const { program, oracle } = inquiry
  const happens = (one: Gate['transitions'][number]): boolean =>
    deed.events.some(event => mayHappen(one, event, oracle, deed.call?.approved))
  if (!gate.transitions.some(one => one.to === 'open' && happens(one))) return uncounted(inquiry, gate, deed, words)
  const isClosedBy = (one: Gate): boolean => one.transitions.some(step => step.to === 'closed' && happens(step))
  const moves = inquiry.does(deed, at)
  const [refused] = moves.flatMap(move => (move.step.end === 'refused' ? move.results.slice(-1) : []))
  const rest = moves.filter(move => move.step.end !== 'refused')
  if (refused && rest.length === 0) {
    const by = program.gates.find(one => one.id === refused.record.gate)
    return { says: `${by?.name ?? 'something'}'s rule ${refused.record.rule} refuses \`${words}\``, next: [] }
  }
  const opens = rest.some(({ results }) =>
    results.some(({ record }) => record.moves.some(one => one.gate === gate.id && one.to === 'open')),
  )
  if (opens) {
    const closes = program.gates.filter(one => one !== gate && isClosedBy(one))
    if (closes.length === 0) return undefined
    return {
      says: `\`${words}\` opens ${gate.name} and closes ${closes.map(one => one.name).join(', ')}`,
      next: closes,
    }
  }
  if (isClosedBy(gate)) return { says: `\`${words}\` would open ${gate.name}, and closes it itself`, next: [] }
  const wanted = gate.transitions
    .filter(one => one.to === 'open' && happens(one))
    .flatMap(one => atomsOf(one.when).filter(isAboutState))
  const says = [...new Set(wanted.flatMap(atomWords))]
  if (says.length === 0) return undefined
  const ids = wanted.flatMap(atom => (atom.key === 'gate' ? atom.states.filter(one => one.state.includes('open')) : []))
  const next = program.gates.filter(one => ids.some(({ gate: id }) => id === one.id))
  return { says: `\`${words}\` opens ${gate.name} only while ${says.join(' and ')}`, next }
}

/** It is counted, and not often enough. */
function uncounted({ field }: Inquiry, gate: Gate, deed: Deed, words: string): Reason {
  const refusers = field.refusers(deed)
  const names = refusers.map(one => (one === gate ? 'it' : one.name)).join(', ')
  const but = names === '' ? 'and never counts enough' : `and ${names} refuses that before`
  return { says: `${gate.name} opens once it has counted \`${words}\` often enough, ${but}`, next: [] }
}

/** What it wants of states, in words. */
function atomWords(atom: Atom): readonly string[] {
  if (atom.key === 'gate')
    return atom.states.map(one => `${one.gate.slice(one.gate.indexOf('/') + 1)} is ${one.state.join(' or ')}`)
  if (atom.key === 'since') return ['enough has happened since (`since`)']
  return atom.key === 'captured' ? atom.fields.map(one => `the captured \`${one.field}\` is as it says`) : []
}
