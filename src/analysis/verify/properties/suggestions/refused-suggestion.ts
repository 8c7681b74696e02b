import type { Gate, Rule } from '../../../../engine/index.ts'
import type { SampleCall } from '../../abstraction/residual-condition.ts'
import type { AnalysisContext } from '../../analysis-context.ts'
import { suggestSuggestionFixes, toBlockingRule } from '../../fixes/policy-edit.ts'
import { ruleLocation } from '../../report/action-refusals.ts'
import { describeCall } from '../../report/descriptions.ts'
import type { VerificationFinding } from '../../report/finding.ts'
import { actionForCall } from '../../system/agent-action.ts'
import type { StateNode } from '../../system/reachability-graph.ts'
import type { SystemState } from '../../system/state-space.ts'
import type { StateTransition, SystemStep } from '../../system/step.ts'

/** A rule fired, and the call it suggests is refused. */
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
  const answer = inquiry.evaluateAction(actionForCall(call, step.actor, inquiry.profile), at)
  const { gate: by, rule: other } = answer?.record ?? {}
  if (answer?.outcome.decision !== 'deny' || by === undefined || other === undefined) return undefined
  const place = ruleLocation(inquiry, by, other)
  return {
    kind: 'suggestion',
    what: `${gate.name}/${rule.id} suggests \`${describeCall(call)}\`, which is refused`,
    on: inquiry.profile.clients,
    gate: gate.id,
    story: [...moves, { step: { actor: step.actor, call, ending: 'refused' }, results: [answer] }],
    why: `${by.slice(by.indexOf('/') + 1)}/${other} refuses it where it is suggested`,
    fix: suggestSuggestionFixes(
      inquiry,
      gate,
      rule,
      toBlockingRule(call, step.actor, { gate: by, rule: other, at: place }),
    ),
  }
}
