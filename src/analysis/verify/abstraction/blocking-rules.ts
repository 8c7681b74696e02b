import type { GateState } from '../../../engine/index.ts'
import { actionsOf, type Event, type Gate, type Program, type Rule, type Transition } from '../../../engine/index.ts'
import {
  type AgentAction,
  isRefusal,
  mayTriggerTransition,
  mustTriggerTransition,
  refusableEvents,
} from '../system/agent-action.ts'
import { isUnreliableEnding } from '../system/call-endings.ts'
import type { ClientProfile } from '../system/client-profile.ts'
import { candidateRules } from './condition-atoms.ts'
import { type DependencyGraph, favourableGateStates } from './cone-of-influence.ts'
import { type MayMustEvaluator, TRUE_BIT, UNKNOWN_BIT } from './may-must-evaluator.ts'

/** All that depends on states, and that an agent can wait for. */
export const isBlockingRule = (
  rule: Rule,
  gate: Gate,
  deed: AgentAction,
  asked: RuleEvaluation & { readonly field: DependencyGraph },
): boolean => isRefusedUntilOpen(rule, gate, deed, asked) || isRefusedUntilClosed(rule, gate, deed, asked)

interface RuleEvaluation {
  readonly oracle: MayMustEvaluator
  readonly view: ClientProfile
}

/** Does the rule keep silent about the deed once a gate is open? All else that it may refuse is not the gate's matter. */
export const isRefusedUntilOpen = (rule: Rule, gate: Gate, deed: AgentAction, asked: RuleEvaluation): boolean =>
  (isClosedStateRule(rule, gate) || isLiftedByOpenGate(rule)) && !isAlwaysRefusedAction(rule, gate, deed, asked)

/**
 * Does it refuse the deed only where a gate is open that an agent, or time, closes again? What stays open for good, or until a person
 * says otherwise, may be meant to refuse it for good.
 */
export function isRefusedUntilClosed(
  rule: Rule,
  gate: Gate,
  deed: AgentAction,
  { field, ...asked }: RuleEvaluation & { readonly field: DependencyGraph },
): boolean {
  const wanted = silencingStates(rule, gate).filter(([, state]) => state === 'closed')
  const gates = field.program.gates.filter(one => wanted.some(([id]) => id === one.id))
  return (
    gates.length > 0 &&
    gates.every(one => isReclosable(one, field, asked)) &&
    !isAlwaysRefusedAction(rule, gate, deed, asked)
  )
}

/** States of gates in which it keeps silent. */
const silencingStates = (
  { when, unless, while: state }: Rule,
  gate: Gate,
): readonly (readonly [string, GateState])[] => [
  ...favourableGateStates(when, false),
  ...(unless ? favourableGateStates(unless, true) : []),
  ...(state === 'open' && gate.initial !== undefined ? [[gate.id, 'closed'] as const] : []),
]

function isReclosable(gate: Gate, field: DependencyGraph, asked: RuleEvaluation): boolean {
  const closing = gate.transitions.filter(one => one.to === 'closed' && one.from.includes('open'))
  const isOfAgents = ({ clock, events }: Transition): boolean =>
    clock || events.every(kind => AGENT_CAUSED_EVENTS.has(kind))
  if (closing.length === 0 || !closing.every(isOfAgents)) return false
  return (
    closing.some(one => one.clock) ||
    field
      .movers(gate, 'closed')
      .some(deed => !isActionNeverPermitted(deed, field.program, asked) && isClosedBy(gate, deed, asked))
  )
}

/** Not by chance, and no transition before it in the list surely happens in its place: the first one that matches is taken. */
function isClosedBy({ transitions }: Gate, { events, call }: AgentAction, { oracle, view }: RuleEvaluation): boolean {
  const steps = transitions.filter(({ clock, from }) => !clock && from.includes('open'))
  return events.some(event => {
    if (isUnreliableEnding(view, event)) return false
    const first = steps.findIndex(
      one =>
        one.to === 'open' &&
        one.events.includes(event.kind) &&
        mustTriggerTransition(one, event, oracle, call?.approved ?? false),
    )
    const before = first < 0 ? steps : steps.slice(0, first)
    return before.some(one => one.to === 'closed' && mayTriggerTransition(one, event, oracle, call?.approved))
  })
}

/** Is it refused whatever the states are? */
export const isActionNeverPermitted = (deed: AgentAction, program: Program, asked: RuleEvaluation): boolean =>
  refusableEvents(deed).some(event => findAlwaysRefusingRule(event, program, asked, deed.call?.approved) !== undefined)

const AGENT_CAUSED_EVENTS: ReadonlySet<string> = new Set(['tool.before', 'tool.after', 'tool.failed', 'agent.stop'])

const isClosedStateRule = (rule: Rule, gate: Gate): boolean => rule.while === 'closed' && gate.initial !== undefined

/** It asks whether a gate is open, and keeps silent then. */
export const isLiftedByOpenGate = ({ when, unless }: Rule): boolean =>
  [...favourableGateStates(when, false), ...(unless ? favourableGateStates(unless, true) : [])].some(
    ([, state]) => state === 'open',
  )

/** Of all that a rule says, act by act, something may depend on no state: `any: [{ command: rm }, { gate: { tests: closed } }]`. */
const isAlwaysRefusedAction = (rule: Rule, gate: Gate, deed: AgentAction, asked: RuleEvaluation): boolean =>
  refusableEvents(deed).some(event => isAlwaysRefusing(rule, gate, event, asked, deed.call?.approved))

/** Does it refuse the event in every state? */
function isAlwaysRefusing(
  rule: Rule,
  gate: Gate,
  event: Event,
  { oracle, view }: RuleEvaluation,
  approved = false,
): boolean {
  if ((rule.while !== undefined && gate.initial !== undefined) || rule.limit !== undefined) return false
  const refusing = [
    ...(isRefusal(rule.then, event.kind, view) ? [TRUE_BIT] : []),
    ...(isRefusal(rule.unsure, event.kind, view) ? [UNKNOWN_BIT] : []),
  ]
  if (!rule.events.includes(event.kind)) return false
  return actionsOf(event).some(
    act =>
      refusing.includes(oracle.answers(rule.when, act, event, 'any', approved)) &&
      !(rule.unless && (oracle.answers(rule.unless, act, event, 'all', approved) & TRUE_BIT) !== 0),
  )
}

/** Is it refused for as long as the gate is closed, by the gate itself? */
export const isGuardedBy = (gate: Gate, deed: AgentAction, asked: RuleEvaluation): boolean =>
  gate.mode === 'block' &&
  refusableEvents(deed).some(event =>
    gate.rules.some(
      ({ while: state, ...rule }) =>
        state === 'closed' &&
        asked.view.refuses(event.kind) &&
        isAlwaysRefusing(rule, gate, event, asked, deed.call?.approved),
    ),
  )

/** The rule that refuses the event whatever the states are, and its gate. */
export function findAlwaysRefusingRule(
  event: Event,
  { gates }: Program,
  asked: RuleEvaluation,
  approved = false,
): { readonly gate: Gate; readonly rule: Rule } | undefined {
  if (!asked.view.refuses(event.kind)) return undefined
  for (const gate of gates)
    for (const rule of gate.mode === 'block' ? candidateRules(gate, event) : [])
      if (isAlwaysRefusing(rule, gate, event, asked, approved)) return { gate, rule }
  return undefined
}
