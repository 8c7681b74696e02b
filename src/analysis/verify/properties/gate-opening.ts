import type { Gate } from '../../../engine/index.ts'
import { isBlockingGate } from '../abstraction/blocking-gates.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import type { Obligation, Property } from '../obligation.ts'
import type { OpeningStrategies } from '../strategies/opening-strategy.ts'
import { findAgentDeadlock, findDeadlock, reportDeadlock } from './deadlock.ts'
import { openingPrompts, reportAllPromptsRefused, reportRefusedOpeningPrompt } from './refused-prompt.ts'

/** Properties of a gate that agents open, unless a strategy already proves them. */
export function openingProperties(inquiry: AnalysisContext, ways: OpeningStrategies, gate: Gate): readonly Property[] {
  if (gate.initial === undefined || gate.opens === 'human' || !isBlockingGate(inquiry, gate)) return []
  const whole: Property = {
    isProven: () => ways.opens(gate),
    onProven: cone => ways.recordLemma(gate, cone),
    findViolation: explored => findDeadlock(explored, gate),
    report: (moves, at) =>
      reportAllPromptsRefused(inquiry, gate, moves, at) ?? reportDeadlock(inquiry, gate, moves, at),
  }
  const ofAgent: Property = {
    isProven: () => ways.canEachAgentOpen(gate),
    findViolation: explored => findAgentDeadlock(explored, gate),
    report: (moves, at) => reportDeadlock(inquiry, gate, moves, at, at.liveAgent?.type),
  }
  return (gate.scope === 'agent' ? [whole, ofAgent] : [whole]).filter(claim => !claim.isProven?.())
}

/** Can the prompts that open an `opens: human` gate be refused for good? */
export function promptOpeningObligations(inquiry: AnalysisContext, gate: Gate): readonly Obligation[] {
  const prompts = openingPrompts(inquiry, gate)
  if (prompts.length === 0) return []
  const claim: Property = {
    findViolation: explored => findDeadlock(explored, gate),
    report: (moves, at) => reportRefusedOpeningPrompt(inquiry, gate, prompts, moves, at),
  }
  const cone = { ...inquiry.dependencies.cone([gate], prompts), promptedGate: gate }
  return [{ cone, properties: [claim], hasSafeSuggestions: true, merged: [] }]
}
