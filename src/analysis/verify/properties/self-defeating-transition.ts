import type { Event, Gate, Transition } from '../../../engine/index.ts'
import { actionsOf } from '../../../engine/index.ts'
import { findOwnRefusal } from '../abstraction/blocking-rules.ts'
import { FALSE_BIT } from '../abstraction/may-must-evaluator.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { describeAction } from '../report/descriptions.ts'
import type { VerificationFinding } from '../report/finding.ts'
import { type AgentAction, mayTriggerTransition } from '../system/agent-action.ts'

/** Transitions that never happen, because of the other transitions and the rules of their own gate. Reported even if something else moves the gate. */
export const findSelfDefeatingTransitions = (
  contexts: readonly AnalysisContext[],
  gate: Gate,
): readonly VerificationFinding[] => [...openingsUndone(contexts, gate), ...closingsRefused(contexts, gate)]

/**
 * Transitions to `closed` that never happen, because the gate's own rules refuse every call that triggers one while the gate is open.
 * A gate without such a transition may be meant to stay open.
 */
const closingsRefused = (contexts: readonly AnalysisContext[], gate: Gate): readonly VerificationFinding[] =>
  gate.transitions.flatMap(transition => {
    if (transition.clock || transition.to !== 'closed' || transition.from.includes('closed')) return []
    // a call that began while the gate was closed may end while it is open
    if (!transition.events.every(kind => kind === 'tool.before')) return []
    // another value may trigger it and not be refused
    if (contexts.some(({ incomplete }) => incomplete.size > 0)) return []
    const refusals = contexts.flatMap(context =>
      triggersOf(context, transition).map(({ action }) => ({
        action,
        rule: action.call && findOwnRefusal(gate, 'open', action, context),
      })),
    )
    const [first] = refusals
    if (!first?.rule || !refusals.every(({ rule }) => rule)) return []
    return [
      unreachableTransition(
        gate,
        transition,
        `its own rule ${first.rule.id} refuses \`${describeAction(first.action)}\` while ${gate.name} is open`,
        'close it with a call that its rules let pass, or exempt this call',
      ),
    ]
  })

const unreachableTransition = (
  gate: Gate,
  transition: Transition,
  why: string,
  advice: string,
): VerificationFinding => ({
  kind: 'unreachable',
  what: `transition ${gate.name}/${transition.id} can never match`,
  ...{ clients: [], gate: gate.id, counterexample: [] },
  why,
  fix: [{ at: transition.at ?? gate.at ?? gate.id, advice }],
})

/**
 * Transitions to `open` that never happen, because every call that triggers one also closes the gate: closings at the beginning of a call
 * override openings at its end. Reported even if something else opens the gate.
 */
const openingsUndone = (contexts: readonly AnalysisContext[], gate: Gate): readonly VerificationFinding[] =>
  gate.transitions.flatMap(transition => {
    if (transition.clock || transition.to !== 'open' || !transition.from.includes('closed')) return []
    const each = contexts.flatMap(context =>
      triggersOf(context, transition).map(cause => ({ inquiry: context, ...cause })),
    )
    const [first] = each
    if (
      !first ||
      !each.every(({ inquiry: context, action, event }) => event.call && isAlsoClosing(context, gate, action, event))
    )
      return []
    return [
      unreachableTransition(
        gate,
        transition,
        `\`${describeAction(first.action)}\` also closes ${gate.name}, and a call that closes a gate cannot open it`,
        'open it with another call, or close it with another event',
      ),
    ]
  })

const triggersOf = (
  { dependencies, mayMust }: AnalysisContext,
  transition: Transition,
): readonly { action: AgentAction; event: Event }[] =>
  dependencies.actions.flatMap(action =>
    action.events.flatMap(event =>
      mayTriggerTransition(transition, event, mayMust, action.call?.isApproved) ? [{ action, event }] : [],
    ),
  )

/** Does the event close the gate in every state? */
function isAlsoClosing(
  { mayMust }: AnalysisContext,
  { transitions }: Gate,
  { call }: AgentAction,
  event: Event,
): boolean {
  const phases = [event, { ...event, kind: 'tool.before' as const }]
  const closing = transitions.filter(
    transition => transition.to === 'closed' && transition.from.includes('open') && !transition.clock,
  )
  return closing.some(({ when, events }) =>
    phases.some(
      phase =>
        events.includes(phase.kind) &&
        actionsOf(phase).some(act => (mayMust.truthSetOf(when, act, phase, 'any', call?.isApproved) & FALSE_BIT) === 0),
    ),
  )
}
