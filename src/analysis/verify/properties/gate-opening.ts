import type { Gate } from '../../../engine/index.ts'
import { isBlockingGate } from '../abstraction/blocking-gates.ts'
import type { ConeOfInfluence } from '../abstraction/cone-of-influence.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import type { Obligation, Property } from '../obligation.ts'
import type { OpeningStrategies } from '../strategies/opening-strategy.ts'
import { findAgentDeadlock, findDeadlock, reportDeadlock } from './deadlock.ts'
import { openingPrompts, reportAllPromptsRefused, reportRefusedOpeningPrompt } from './prompts/refused-prompt.ts'

/** Properties of a gate that agents open, unless a strategy already proves them. */
export function openingProperties(
  context: AnalysisContext,
  strategies: OpeningStrategies,
  gate: Gate,
): readonly Property[] {
  if (gate.initial === undefined || gate.opens === 'human' || !isBlockingGate(context, gate)) return []
  const opening: Property = {
    isProven: () => strategies.canOpen(gate),
    onProven: cone => strategies.recordLemma(gate, cone),
    findViolation: explored => findDeadlock(explored, gate),
    report: (transitions, at) =>
      reportAllPromptsRefused(context, gate, transitions, at) ?? reportDeadlock(context, gate, transitions, at),
  }
  const openingForAgent: Property = {
    isProven: () => strategies.canEachAgentOpen(gate),
    findViolation: explored => findAgentDeadlock(explored, gate),
    report: (transitions, at) => reportDeadlock(context, gate, transitions, at, at.liveAgent?.type),
  }
  return (gate.scope === 'agent' ? [opening, openingForAgent] : [opening]).filter(property => !property.isProven?.())
}

/** Can the prompts that open an `opens: human` gate be refused for good? */
export function promptOpeningObligations(context: AnalysisContext, gate: Gate): readonly Obligation[] {
  const prompts = openingPrompts(context, gate)
  if (prompts.length === 0) return []
  const property: Property = {
    findViolation: explored => findDeadlock(explored, gate),
    report: (transitions, at) => reportRefusedOpeningPrompt(context, gate, prompts, transitions, at),
  }
  return [{ cone: promptCone(context, gate), properties: [property], hasSafeSuggestions: true, merged: [] }]
}

/** The cone of opening a gate by prompts. Other gates that may refuse these prompts and wait for prompts themselves open by theirs only. */
function promptCone(context: AnalysisContext, gate: Gate): ConeOfInfluence {
  const prompts = new Map([[gate, openingPrompts(context, gate)]])
  for (;;) {
    const cone = context.dependencies.cone([...prompts.keys()], [...prompts.values()].flat())
    const size = prompts.size
    for (const other of cone.gates) {
      const own = prompts.has(other) ? [] : openingPrompts(context, other)
      if (own.length > 0) prompts.set(other, own)
    }
    if (prompts.size === size) return { ...cone, promptedGates: [...prompts.keys()] }
  }
}
