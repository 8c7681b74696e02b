import type { AnalysisContext } from '../../analysis-context.ts'
import type { Obligation, Property } from '../../obligation.ts'
import type { OpeningStrategies } from '../../strategies/opening-strategy.ts'
import type { AgentAction } from '../../system/agent-action.ts'
import { TURN_END_ACTION } from '../../system/lifecycle-actions.ts'
import { findUnendableAgent, findUnendableTurn, reportUnendable } from '../deadlock.ts'

/** Every turn and every subagent must be able to end. What a strategy proves in every state need not be explored. */
export function endObligations(context: AnalysisContext, strategies: OpeningStrategies): readonly Obligation[] {
  const { dependencies, profile } = context
  const stops = dependencies.actions.filter(action => action.events[0]?.kind === 'agent.stop')
  const mayBeRefused = (action: AgentAction): boolean => dependencies.refusers(action).length > 0
  const isTurnRefusable = profile.sendsEvent('turn.stop') && mayBeRefused(TURN_END_ACTION)
  return [
    ...(isTurnRefusable ? [toObligation(context, [TURN_END_ACTION], turnEnd(context, strategies))] : []),
    ...(stops.some(mayBeRefused) ? [toObligation(context, stops, agentEnd(context, strategies, stops))] : []),
  ]
}

const toObligation = (
  { dependencies }: AnalysisContext,
  goals: readonly AgentAction[],
  property: Property,
): Obligation => ({
  ...{ cone: dependencies.cone([], goals), hasSafeSuggestions: true, merged: [] },
  properties: property.isProven?.() ? [] : [property],
})

const turnEnd = (context: AnalysisContext, strategies: OpeningStrategies): Property => ({
  isProven: () => strategies.canEnd(TURN_END_ACTION),
  findViolation: findUnendableTurn,
  report: (transitions, at) => reportUnendable(context, TURN_END_ACTION, transitions, at),
})

const agentEnd = (
  context: AnalysisContext,
  strategies: OpeningStrategies,
  stops: readonly AgentAction[],
): Property => ({
  isProven: () => stops.every(action => strategies.canEnd(action)),
  findViolation: findUnendableAgent,
  report: (transitions, at) => {
    const stop = stops.find(action => action.actor === at.liveAgent?.type)
    return reportUnendable(context, stop ?? TURN_END_ACTION, transitions, at)
  },
})
