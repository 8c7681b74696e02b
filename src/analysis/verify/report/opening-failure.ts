import type { Gate, Transition } from '../../../engine/index.ts'
import { type Condition, type FieldPattern, matchText, type Regex } from '../../../engine/index.ts'
import { fieldText, type Json } from '../../../lib/json.ts'
import { shapeErrors } from '../../../lib/json-shape.ts'
import { type Atom, atomsOf, isStateDependent } from '../abstraction/condition-atoms.ts'
import { simplestAnswerErrors } from '../abstraction/input-partitioning/sample-answers.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { type AgentAction, mayTriggerTransition } from '../system/agent-action.ts'
import { isUnreliableEnding } from '../system/call-endings.ts'
import type { SystemState } from '../system/state-space.ts'

/** Why an action that no rule refuses does not open the gate for good. */
export interface OpeningFailure {
  readonly explanation: string
  /** gates that the action closes, or that have to be open first; the explanation continues with them */
  readonly nextGates: readonly Gate[]
}

/** Simulates the action in this state with every gate in force, and explains the result. */
export function explainOpeningFailure(
  inquiry: AnalysisContext,
  gate: Gate,
  deed: AgentAction,
  words: string,
  at: SystemState,
): OpeningFailure | undefined {
  const { program, mayMust } = inquiry
  const happens = (one: Gate['transitions'][number]): boolean =>
    deed.events.some(event => mayTriggerTransition(one, event, mayMust, deed.call?.isApproved))
  if (!gate.transitions.some(one => one.to === 'open' && happens(one)))
    return countingFailure(inquiry, gate, deed, words)
  const opening = deed.events.filter(event =>
    gate.transitions.some(one => one.to === 'open' && mayTriggerTransition(one, event, mayMust, deed.call?.isApproved)),
  )
  if (opening.every(event => isUnreliableEnding(inquiry.profile, event)))
    return {
      explanation: `\`${words}\` opens ${gate.name} only if its result is unknown, and this agent reports it`,
      nextGates: [],
    }
  const isClosedBy = (one: Gate): boolean => one.transitions.some(step => step.to === 'closed' && happens(step))
  const moves = inquiry.transitionsOf(deed, at)
  const [refused] = moves.flatMap(move => (move.step.ending === 'refused' ? move.results.slice(-1) : []))
  const rest = moves.filter(move => move.step.ending !== 'refused')
  if (refused && rest.length === 0) {
    const by = program.gates.find(one => one.id === refused.record.gate)
    return {
      explanation: `${by?.name ?? 'something'}'s rule ${refused.record.rule} refuses \`${words}\``,
      nextGates: [],
    }
  }
  const opens = rest.some(({ results }) =>
    results.some(({ record }) => record.moves.some(one => one.gate === gate.id && one.to === 'open')),
  )
  if (opens) {
    const closes = program.gates.filter(one => one !== gate && isClosedBy(one))
    if (closes.length === 0) return undefined
    return {
      explanation: `\`${words}\` opens ${gate.name} and closes ${closes.map(one => one.name).join(', ')}`,
      nextGates: closes,
    }
  }
  const unmet = unmetAnswerField(
    inquiry,
    gate.transitions.filter(one => one.to === 'open' && happens(one)),
    gate,
  )
  if (unmet !== undefined) return { explanation: `\`${words}\` would open ${gate.name}, and ${unmet}`, nextGates: [] }
  if (isClosedBy(gate))
    return { explanation: `\`${words}\` would open ${gate.name}, and closes it itself`, nextGates: [] }
  const wanted = gate.transitions
    .filter(one => one.to === 'open' && happens(one))
    .flatMap(one => atomsOf(one.when).filter(isStateDependent))
  const says = [...new Set(wanted.flatMap(describeAtom))]
  if (says.length === 0) return undefined
  const ids = wanted.flatMap(atom => (atom.key === 'gate' ? atom.states.filter(one => one.state.includes('open')) : []))
  const next = program.gates.filter(one => ids.some(({ gate: id }) => id === one.id))
  return { explanation: `\`${words}\` opens ${gate.name} only while ${says.join(' and ')}`, nextGates: next }
}

/** The required answer field that no valid answer satisfies. */
function unmetAnswerField(
  { answers, parser }: AnalysisContext,
  steps: readonly Transition[],
  gate: Gate,
): string | undefined {
  const each = steps.map(({ when, capture }) => {
    if (capture && !answers.some(one => shapeErrors(one, capture.schema).length === 0)) {
      const [problem = ''] = simplestAnswerErrors(capture.schema)
      return `no answer is what its \`capture\` ${gate.name}.${capture.name} requires: ${problem.replace(/one of $/, 'one of an empty list')}`
    }
    const field = conjunctsOf(when)
      .flatMap(one => ('key' in one && one.key === 'captured' ? one.fields : []))
      .find(one => isFieldUnmet(one, answers, parser.regex))
    return (
      field && `no answer that a \`capture\` accepts has \`${withoutLayer(field.field)}\` as the condition requires`
    )
  })
  return each.every(Boolean) ? each[0] : undefined
}

/** Templates count as satisfiable: their values are unknown here. */
function isFieldUnmet({ field, in: wanted }: FieldPattern, answers: readonly Json[], regex: Regex): boolean {
  if (wanted.some(one => 'is' in one && one.is.includes('{'))) return false
  const path = field.split('.').slice(2).join('.')
  const fill = (text: string): string => text
  return !answers.some(answer => {
    const text = path === '' ? JSON.stringify(answer) : fieldText(answer, path)
    return text !== undefined && matchText(wanted, text, { regex, fill }) !== 'false'
  })
}

const conjunctsOf = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])
const withoutLayer = (field: string): string => field.slice(field.indexOf('/') + 1)

/** The gate opens by counting the action, but the count is never reached. */
function countingFailure(
  { dependencies }: AnalysisContext,
  gate: Gate,
  deed: AgentAction,
  words: string,
): OpeningFailure {
  const refusers = dependencies.refusers(deed)
  const names = refusers.map(one => (one === gate ? 'it' : one.name)).join(', ')
  const but = names === '' ? 'but never counts enough' : `and ${names} refuses that before`
  return { explanation: `${gate.name} opens once it has counted \`${words}\` often enough, ${but}`, nextGates: [] }
}

/** Describes the states that an atom requires. */
function describeAtom(atom: Atom): readonly string[] {
  if (atom.key === 'gate')
    return atom.states.map(one => `${one.gate.slice(one.gate.indexOf('/') + 1)} is ${one.state.join(' or ')}`)
  if (atom.key === 'since') return ['the `since` counter is reached']
  return atom.key === 'captured'
    ? atom.fields.map(one => `the captured \`${withoutLayer(one.field)}\` matches its condition`)
    : []
}
