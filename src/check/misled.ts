import type { Gate, Rule } from '../core/index.ts'
import type { SampleCall } from './call.ts'
import { actionForCall } from './deed.ts'
import type { VerificationFinding } from './finding.ts'
import type { StateNode } from './graph.ts'
import type { AnalysisContext } from './inquiry.ts'
import { suggestSuggestionFixes, toBlockingRule } from './mending.ts'
import type { SystemState } from './state.ts'
import type { SystemStep } from './step.ts'
import { ruleLocation } from './stuck.ts'
import { describeCall } from './words.ts'
import type { StateTransition } from './world.ts'

/** A rule fired, and what it suggests is refused in its turn. */
export interface RefusedSuggestion {
  readonly node: StateNode
  readonly step: SystemStep
  readonly gate: Gate
  readonly rule: Rule
  readonly call: SampleCall
}

export function reportRefusedSuggestion(
  inquiry: AnalysisContext,
  { step, gate, rule, call }: RefusedSuggestion,
  moves: readonly StateTransition[],
  at: SystemState,
): VerificationFinding | undefined {
  const answer = inquiry.answer(actionForCall(call, step.by, inquiry.view), at)
  const { gate: by, rule: other } = answer?.record ?? {}
  if (answer?.outcome.decision !== 'deny' || by === undefined || other === undefined) return undefined
  const place = ruleLocation(inquiry, by, other)
  return {
    kind: 'suggestion',
    what: `${gate.name}/${rule.id} suggests \`${describeCall(call)}\`, which is refused`,
    on: inquiry.view.clients,
    gate: gate.id,
    story: [...moves, { step: { by: step.by, call, end: 'refused' }, results: [answer] }],
    why: `${by.slice(by.indexOf('/') + 1)}/${other} refuses it where it is suggested`,
    fix: suggestSuggestionFixes(
      inquiry,
      gate,
      rule,
      toBlockingRule(call, step.by, { gate: by, rule: other, at: place }),
    ),
  }
}
