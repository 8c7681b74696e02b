import type { Event, Gate, Transition } from '../../../engine/index.ts'
import { actionsOf } from '../../../engine/index.ts'
import { FALSE_BIT } from '../abstraction/may-must-evaluator.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { describeAction } from '../report/descriptions.ts'
import type { VerificationFinding } from '../report/finding.ts'
import { type AgentAction, mayTriggerTransition } from '../system/agent-action.ts'

/**
 * Transitions to `open` that never happen, because every call that triggers one also closes the gate: closings at the beginning of a call
 * override openings at its end. Reported even if something else opens the gate.
 */
export const findSelfDefeatingTransitions = (
  inquiries: readonly AnalysisContext[],
  gate: Gate,
): readonly VerificationFinding[] =>
  gate.transitions.flatMap(step => {
    if (step.clock || step.to !== 'open' || !step.from.includes('closed')) return []
    const each = inquiries.flatMap(inquiry => triggersOf(inquiry, step).map(cause => ({ inquiry, ...cause })))
    const [first] = each
    if (
      !first ||
      !each.every(({ inquiry, action, event }) => event.call && isAlsoClosing(inquiry, gate, action, event))
    )
      return []
    return [
      {
        kind: 'unreachable',
        what: `transition ${gate.name}/${step.id} can never match`,
        ...{ on: [], gate: gate.id, story: [] },
        why: `\`${describeAction(first.action)}\` also closes ${gate.name}, and a call that closes a gate cannot open it`,
        fix: [
          { at: step.at ?? gate.at ?? gate.id, advice: 'open it with another call, or close it with another event' },
        ],
      },
    ]
  })

const triggersOf = (
  { dependencies, mayMust }: AnalysisContext,
  step: Transition,
): readonly { action: AgentAction; event: Event }[] =>
  dependencies.actions.flatMap(deed =>
    deed.events.flatMap(event =>
      mayTriggerTransition(step, event, mayMust, deed.call?.isApproved) ? [{ action: deed, event }] : [],
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
  const closing = transitions.filter(one => one.to === 'closed' && one.from.includes('open') && !one.clock)
  return closing.some(({ when, events }) =>
    phases.some(
      phase =>
        events.includes(phase.kind) &&
        actionsOf(phase).some(act => (mayMust.truthSetOf(when, act, phase, 'any', call?.isApproved) & FALSE_BIT) === 0),
    ),
  )
}
