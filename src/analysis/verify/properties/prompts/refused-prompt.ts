import type { EvaluationResult, Event, EventKind, Gate } from '../../../../engine/index.ts'
import { triggerEventKinds } from '../../abstraction/condition-atoms.ts'
import { isWorkPrompt } from '../../abstraction/input-partitioning/prompt-classes.ts'
import type { AnalysisContext } from '../../analysis-context.ts'
import { ruleLocation } from '../../report/action-refusals.ts'
import { describeAction } from '../../report/descriptions.ts'
import type { VerificationFinding } from '../../report/finding.ts'
import { type AgentAction, mayTriggerTransition, mustTriggerTransition } from '../../system/agent-action.ts'
import { promptAction } from '../../system/lifecycle-actions.ts'
import type { SystemState } from '../../system/state/system-state.ts'
import type { StateTransition } from '../../system/step.ts'
import { untriedPromptReason } from '../inconclusive.ts'

/**
 * The prompts that open a gate which a person opens, if none of them is certain to: each may be refused, or opens it only in some
 * states. Empty if something opens it that is not played, as a person can then open it in another way.
 */
export function openingPrompts(context: AnalysisContext, gate: Gate): readonly AgentAction[] {
  const opening = gate.transitions.filter(transition => transition.to === 'open')
  const arePlayed = opening.every(
    transition => transition.clock || triggerEventKinds(transition).every(kind => PLAYED_EVENTS.has(kind)),
  )
  if (gate.opens !== 'human' || !arePlayed) return []
  const { mayMust, dependencies } = context
  const prompts = context.prompts
    .map(promptAction)
    .filter(({ events }) =>
      opening.some(transition => events.some(event => mayTriggerTransition(transition, event, mayMust))),
    )
  const isCertainToOpen = ({ events }: AgentAction): boolean =>
    opening.some(
      transition =>
        !transition.clock &&
        events.some(
          event => transition.events.includes(event.kind) && mustTriggerTransition(transition, event, mayMust, false),
        ),
    )
  const isCertain = prompts.every(action => dependencies.refusers(action).length === 0 && isCertainToOpen(action))
  return isCertain ? [] : prompts
}

const PLAYED_EVENTS: ReadonlySet<EventKind> = new Set([
  ...(['prompt.submit', 'tool.before', 'tool.after', 'tool.failed'] as const),
  ...(['agent.start', 'agent.stop', 'turn.stop'] as const),
])

interface RefusedPrompt {
  readonly result: EvaluationResult
  readonly event: Event | undefined
  /** the gate that refuses the prompt, and its rule */
  readonly refusingGate: string
  readonly rule: string
}

const findRefusedPrompts = (
  context: AnalysisContext,
  prompts: readonly AgentAction[],
  at: SystemState,
): readonly RefusedPrompt[] =>
  prompts.flatMap(({ events, ...action }) => {
    const result = context.evaluateAction({ ...action, events }, at)
    const { gate: actor, rule } = result?.record ?? {}
    const isRefused = result?.outcome.decision === 'deny' && actor !== undefined && rule !== undefined
    return isRefused ? [{ result, event: events[0], refusingGate: actor, rule }] : []
  })

/** The gate needs a prompt from a person, and a rule refuses that prompt. */
export function reportRefusedOpeningPrompt(
  context: AnalysisContext,
  gate: Gate,
  prompts: readonly AgentAction[],
  transitions: readonly StateTransition[],
  at: SystemState,
): VerificationFinding {
  const [first] = findRefusedPrompts(context, prompts, at)
  const why = first
    ? `${gate.name} needs a prompt from a person, and ${refusingGateName(context, first)}'s rule ${first.rule} refuses that`
    : `${gate.name} needs a prompt from a person, and no such prompt opens it here`
  const inconclusiveReason = untriedPromptReason(context, gate)
  return {
    ...promptDeadlockFinding(context, gate, transitions, first),
    why,
    ...(inconclusiveReason !== undefined && { inconclusiveReason }),
  }
}

/** No agent is at work to open the gate, because every prompt is refused. Undefined: some prompt is allowed. */
export function reportAllPromptsRefused(
  context: AnalysisContext,
  gate: Gate,
  transitions: readonly StateTransition[],
  at: SystemState,
): VerificationFinding | undefined {
  const prompts = at.isAwaitingPrompt ? context.prompts.filter(isWorkPrompt).map(promptAction) : []
  const refused = findRefusedPrompts(context, prompts, at)
  const [first] = refused
  if (!first || refused.length < prompts.length) return undefined
  const rule = `${refusingGateName(context, first)}'s rule ${first.rule}`
  const [opener] = context.dependencies.movers(gate, 'open')
  const needs = opener ? `, so \`${describeAction(opener)}\` never happens` : ''
  return {
    ...promptDeadlockFinding(context, gate, transitions, first),
    why: `${rule} refuses every prompt, and without a prompt no agent works${needs}`,
    fix: [
      {
        at: ruleLocation(context, first.refusingGate, first.rule),
        advice: `let a prompt pass while ${gate.name} is closed`,
      },
    ],
  }
}

const refusingGateName = ({ program }: AnalysisContext, { refusingGate }: RefusedPrompt): string =>
  program.gates.find(gate => gate.id === refusingGate)?.name ?? refusingGate

const promptDeadlockFinding = (
  context: AnalysisContext,
  gate: Gate,
  transitions: readonly StateTransition[],
  first: RefusedPrompt | undefined,
) => ({
  kind: 'deadlock' as const,
  what: `${gate.name} can be closed with no way left to open it`,
  clients: context.profile.clients,
  gate: gate.id,
  counterexample: [
    ...transitions,
    ...(first?.event
      ? [{ step: { actor: 'person', event: first.event, ending: 'refused' as const }, results: [first.result] }]
      : []),
  ],
  fix: [
    {
      at: first ? ruleLocation(context, first.refusingGate, first.rule) : (gate.at ?? gate.id),
      advice: first
        ? `let the prompt that opens ${gate.name} pass`
        : 'let a prompt open it in every state: without `gate`, `since` or `captured` in its condition',
    },
  ],
})
