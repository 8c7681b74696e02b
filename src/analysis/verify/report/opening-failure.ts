import type { Gate, Transition } from '../../../engine/index.ts'
import { type Condition, type FieldPattern, matchText, type Regex } from '../../../engine/index.ts'
import { fieldText, type Json } from '../../../lib/json.ts'
import { shapeErrors } from '../../../lib/json-shape.ts'
import { type Atom, atomsOf, isStateDependent } from '../abstraction/condition-atoms.ts'
import { simplestAnswerErrors } from '../abstraction/input-partitioning/sample-answers.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { type AgentAction, mayTriggerTransition } from '../system/agent-action.ts'
import { isUnreliableEnding } from '../system/call-endings.ts'
import type { SystemState } from '../system/state/system-state.ts'

/** Why an action that no rule refuses does not open the gate for good. */
export interface OpeningFailure {
  readonly explanation: string
  /** gates that the action closes, or that have to be open first; the explanation continues with them */
  readonly nextGates: readonly Gate[]
}

/** Simulates the action in this state with every gate in force, and explains the result. */
export function explainOpeningFailure(
  context: AnalysisContext,
  gate: Gate,
  action: AgentAction,
  actionText: string,
  at: SystemState,
): OpeningFailure | undefined {
  const { program, mayMust } = context
  const mayHappen = (transition: Gate['transitions'][number]): boolean =>
    action.events.some(event => mayTriggerTransition(transition, event, mayMust, action.call?.isApproved))
  if (!gate.transitions.some(transition => transition.to === 'open' && mayHappen(transition)))
    return countingFailure(context, gate, action, actionText)
  const opening = action.events.filter(event =>
    gate.transitions.some(
      transition =>
        transition.to === 'open' && mayTriggerTransition(transition, event, mayMust, action.call?.isApproved),
    ),
  )
  if (opening.every(event => isUnreliableEnding(context.profile, event)))
    return {
      explanation: `\`${actionText}\` opens ${gate.name} only if its result is unknown, and this agent reports it`,
      nextGates: [],
    }
  const isClosedBy = (gate: Gate): boolean =>
    gate.transitions.some(transition => transition.to === 'closed' && mayHappen(transition))
  const transitions = context.transitionsOf(action, at)
  const [refused] = transitions.flatMap(transition =>
    transition.step.ending === 'refused' ? transition.results.slice(-1) : [],
  )
  const rest = transitions.filter(transition => transition.step.ending !== 'refused')
  if (refused && rest.length === 0) {
    const by = program.gates.find(gate => gate.id === refused.record.gate)
    return {
      explanation: `${by?.name ?? 'something'}'s rule ${refused.record.rule} refuses \`${actionText}\``,
      nextGates: [],
    }
  }
  const opens = rest.some(({ results }) =>
    results.some(({ record }) => record.moves.some(move => move.gate === gate.id && move.to === 'open')),
  )
  if (opens) {
    const closes = program.gates.filter(other => other !== gate && isClosedBy(other))
    if (closes.length === 0) return undefined
    return {
      explanation: `\`${actionText}\` opens ${gate.name} and closes ${closes.map(gate => gate.name).join(', ')}`,
      nextGates: closes,
    }
  }
  const unmet = unmetAnswerField(
    context,
    gate.transitions.filter(transition => transition.to === 'open' && mayHappen(transition)),
    gate,
  )
  if (unmet !== undefined)
    return { explanation: `\`${actionText}\` would open ${gate.name}, and ${unmet}`, nextGates: [] }
  if (isClosedBy(gate))
    return { explanation: `\`${actionText}\` would open ${gate.name}, and closes it itself`, nextGates: [] }
  const wanted = gate.transitions
    .filter(transition => transition.to === 'open' && mayHappen(transition))
    .flatMap(transition => atomsOf(transition.when).filter(isStateDependent))
  const explanations = [...new Set(wanted.flatMap(describeAtom))]
  if (explanations.length === 0) return undefined
  const ids = wanted.flatMap(atom =>
    atom.key === 'gate' ? atom.states.filter(state => state.state.includes('open')) : [],
  )
  const next = program.gates.filter(gate => ids.some(({ gate: id }) => id === gate.id))
  return {
    explanation: `\`${actionText}\` opens ${gate.name} only while ${explanations.join(' and ')}`,
    nextGates: next,
  }
}

/** The required answer field that no valid answer satisfies. */
function unmetAnswerField(
  { answers, parser }: AnalysisContext,
  transitions: readonly Transition[],
  gate: Gate,
): string | undefined {
  const each = transitions.map(({ when, capture }) => {
    if (capture && !answers.some(answer => shapeErrors(answer, capture.schema).length === 0)) {
      const [problem = ''] = simplestAnswerErrors(capture.schema)
      return `no answer is what its \`capture\` ${gate.name}.${capture.name} requires: ${problem.replace(/one of $/, 'one of an empty list')}`
    }
    const field = conjunctsOf(when)
      .flatMap(condition => ('key' in condition && condition.key === 'captured' ? condition.fields : []))
      .find(field => isFieldUnmet(field, answers, parser.regex))
    return (
      field && `no answer that a \`capture\` accepts has \`${withoutLayer(field.field)}\` as the condition requires`
    )
  })
  return each.every(Boolean) ? each[0] : undefined
}

/** Templates count as satisfiable: their values are unknown here. */
function isFieldUnmet({ field, in: wanted }: FieldPattern, answers: readonly Json[], regex: Regex): boolean {
  if (wanted.some(pattern => 'is' in pattern && pattern.is.includes('{'))) return false
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
  action: AgentAction,
  actionText: string,
): OpeningFailure {
  const refusers = dependencies.refusers(action)
  const names = refusers.map(refuser => (refuser === gate ? 'it' : refuser.name)).join(', ')
  const but = names === '' ? 'but it never counts that often' : `and ${names} refuses that first`
  return { explanation: `${gate.name} opens once it has counted \`${actionText}\` often enough, ${but}`, nextGates: [] }
}

/** Describes the states that an atom requires. */
function describeAtom(atom: Atom): readonly string[] {
  if (atom.key === 'gate')
    return atom.states.map(state => `${state.gate.slice(state.gate.indexOf('/') + 1)} is ${state.state.join(' or ')}`)
  if (atom.key === 'since') return ['the `since` counter is reached']
  return atom.key === 'captured'
    ? atom.fields.map(field => `the captured \`${withoutLayer(field.field)}\` matches its condition`)
    : []
}
