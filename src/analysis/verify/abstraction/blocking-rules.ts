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
import { atomsOf, candidateRules } from './condition-atoms.ts'
import type { DependencyGraph } from './cone-of-influence.ts'
import { favourableGateStates } from './favourable-states.ts'
import { type MayMustEvaluator, TRUE_BIT, UNKNOWN_BIT } from './may-must-evaluator.ts'

/** Does the rule refuse the action only in some states, so that an agent can wait for it? */
export const isBlockingRule = (
  rule: Rule,
  gate: Gate,
  action: AgentAction,
  asked: RuleEvaluation & { readonly dependencies: DependencyGraph },
): boolean =>
  isRefusedUntilOpen(rule, gate, action, asked) ||
  isRefusedUntilClosed(rule, gate, action, asked) ||
  isRefusedUntilCaptured(rule, gate, action, asked)

interface RuleEvaluation {
  readonly mayMust: MayMustEvaluator
  readonly profile: ClientProfile
}

/** Does the rule stop refusing the action when a gate opens? Any other refusal does not depend on the gate. */
export const isRefusedUntilOpen = (rule: Rule, gate: Gate, action: AgentAction, evaluation: RuleEvaluation): boolean =>
  (isClosedStateRule(rule, gate) || isLiftedByOpenGate(rule)) && !isAlwaysRefusedAction(rule, gate, action, evaluation)

/**
 * Does the rule refuse the action only while a gate is open that agents or time can close again? A gate that stays open, or that
 * only a person closes, may be meant to refuse for good.
 */
export function isRefusedUntilClosed(
  rule: Rule,
  gate: Gate,
  action: AgentAction,
  { dependencies, ...asked }: RuleEvaluation & { readonly dependencies: DependencyGraph },
): boolean {
  const wanted = silencingStates(rule, gate).filter(([, state]) => state === 'closed')
  const gates = dependencies.program.gates.filter(gate => wanted.some(([id]) => id === gate.id))
  return (
    gates.length > 0 &&
    gates.every(gate => isReclosable(gate, dependencies, asked)) &&
    !isAlwaysRefusedAction(rule, gate, action, asked)
  )
}

/** Does the rule stop refusing the action once a gate has captured another value? */
const isRefusedUntilCaptured = (rule: Rule, gate: Gate, action: AgentAction, evaluation: RuleEvaluation): boolean =>
  [rule.when, ...(rule.unless ? [rule.unless] : [])].flatMap(atomsOf).some(({ key }) => key === 'captured') &&
  !isAlwaysRefusedAction(rule, gate, action, evaluation)

/** Gate states in which the rule does not fire. */
const silencingStates = (
  { when, unless, while: state }: Rule,
  gate: Gate,
): readonly (readonly [string, GateState])[] => [
  ...favourableGateStates(when, false),
  ...(unless ? favourableGateStates(unless, true) : []),
  ...(state === 'open' && gate.initial !== undefined ? [[gate.id, 'closed'] as const] : []),
]

function isReclosable(gate: Gate, dependencies: DependencyGraph, evaluation: RuleEvaluation): boolean {
  const closing = gate.transitions.filter(transition => transition.to === 'closed' && transition.from.includes('open'))
  const isOfAgents = ({ clock, events }: Transition): boolean =>
    clock || events.every(kind => AGENT_CAUSED_EVENTS.has(kind))
  if (closing.length === 0 || !closing.every(isOfAgents)) return false
  return (
    closing.some(transition => transition.clock) ||
    dependencies
      .movers(gate, 'closed')
      .some(
        action =>
          !isActionNeverPermitted(action, dependencies.program, evaluation) && isClosedBy(gate, action, evaluation),
      )
  )
}

/** The closing does not rely on an unreliable ending, and no earlier transition is certain to match first: the first match wins. */
function isClosedBy(
  { transitions }: Gate,
  { events, call }: AgentAction,
  { mayMust, profile }: RuleEvaluation,
): boolean {
  const steps = transitions.filter(({ clock, from }) => !clock && from.includes('open'))
  return events.some(event => {
    if (isUnreliableEnding(profile, event)) return false
    const first = steps.findIndex(
      transition =>
        transition.to === 'open' &&
        transition.events.includes(event.kind) &&
        mustTriggerTransition(transition, event, mayMust, call?.isApproved ?? false),
    )
    const before = first < 0 ? steps : steps.slice(0, first)
    return before.some(
      transition => transition.to === 'closed' && mayTriggerTransition(transition, event, mayMust, call?.isApproved),
    )
  })
}

/** Is the action refused in every state? */
export const isActionNeverPermitted = (action: AgentAction, program: Program, evaluation: RuleEvaluation): boolean =>
  refusableEvents(action).some(
    event => findAlwaysRefusingRule(event, program, evaluation, action.call?.isApproved) !== undefined,
  )

const AGENT_CAUSED_EVENTS: ReadonlySet<string> = new Set(['tool.before', 'tool.after', 'tool.failed', 'agent.stop'])

const isClosedStateRule = (rule: Rule, gate: Gate): boolean => rule.while === 'closed' && gate.initial !== undefined

/** Does the rule stop firing when a gate it reads is open? */
export const isLiftedByOpenGate = ({ when, unless }: Rule): boolean =>
  [...favourableGateStates(when, false), ...(unless ? favourableGateStates(unless, true) : [])].some(
    ([, state]) => state === 'open',
  )

/** Part of a rule may not depend on any state: `any: [{ command: rm }, { gate: { tests: closed } }]`. */
const isAlwaysRefusedAction = (rule: Rule, gate: Gate, action: AgentAction, evaluation: RuleEvaluation): boolean =>
  refusableEvents(action).some(event => isAlwaysRefusing(rule, gate, event, evaluation, action.call?.isApproved))

/** Does the rule refuse the event in every state? */
function isAlwaysRefusing(
  rule: Rule,
  gate: Gate,
  event: Event,
  { mayMust, profile }: RuleEvaluation,
  approved = false,
): boolean {
  if ((rule.while !== undefined && gate.initial !== undefined) || rule.limit !== undefined) return false
  const refusing = [
    ...(isRefusal(rule.then, event.kind, profile) ? [TRUE_BIT] : []),
    ...(isRefusal(rule.unsure, event.kind, profile) ? [UNKNOWN_BIT] : []),
  ]
  if (!rule.events.includes(event.kind)) return false
  return actionsOf(event).some(
    act =>
      refusing.includes(mayMust.truthSetOf(rule.when, act, event, 'any', approved)) &&
      !(rule.unless && (mayMust.truthSetOf(rule.unless, act, event, 'all', approved) & TRUE_BIT) !== 0),
  )
}

/** Do the gate's own rules refuse the action in every state in which the gate is closed? */
export const isRefusedWhileClosed = (gate: Gate, action: AgentAction, evaluation: RuleEvaluation): boolean =>
  findOwnRefusal(gate, 'closed', action, evaluation) !== undefined

/** The gate's own rule that refuses the action in every state in which the gate is open, or closed. */
export function findOwnRefusal(
  gate: Gate,
  inState: GateState,
  action: AgentAction,
  evaluation: RuleEvaluation,
): Rule | undefined {
  if (gate.mode !== 'block') return undefined
  const events = refusableEvents(action).filter(event => evaluation.profile.canRefuse(event.kind))
  return gate.rules.find(
    ({ while: state, ...rule }) =>
      state === inState &&
      events.some(event => isAlwaysRefusing(rule, gate, event, evaluation, action.call?.isApproved)),
  )
}

/** The rule that refuses the event in every state, and its gate. */
export function findAlwaysRefusingRule(
  event: Event,
  { gates }: Program,
  evaluation: RuleEvaluation,
  approved = false,
): { readonly gate: Gate; readonly rule: Rule } | undefined {
  if (!evaluation.profile.canRefuse(event.kind)) return undefined
  for (const gate of gates)
    for (const rule of gate.mode === 'block' ? candidateRules(gate, event) : [])
      if (isAlwaysRefusing(rule, gate, event, evaluation, approved)) return { gate, rule }
  return undefined
}
