import type { Gate, Rule } from '../../../../engine/index.ts'
import type { SampleCall } from '../../abstraction/residual-condition.ts'
import type { AnalysisContext } from '../../analysis-context.ts'
import { suggestSuggestionFixes, toBlockingRule } from '../../fixes/policy-edit.ts'
import { ruleLocation } from '../../report/action-refusals.ts'
import { describeCall } from '../../report/descriptions.ts'
import type { VerificationFinding } from '../../report/finding.ts'
import { actionForCall } from '../../system/agent-action.ts'
import type { StateNode } from '../../system/reachability-graph.ts'
import type { SystemState } from '../../system/state/system-state.ts'
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
  context: AnalysisContext,
  { step, gate, rule, call }: RefusedSuggestion,
  transitions: readonly StateTransition[],
  at: SystemState,
): VerificationFinding | undefined {
  const answer = context.evaluateAction(actionForCall(call, step.actor, context.profile), at)
  const { gate: refusingGate, rule: refusingRule } = answer?.record ?? {}
  if (answer?.outcome.decision !== 'deny' || refusingGate === undefined || refusingRule === undefined) return undefined
  const location = ruleLocation(context, refusingGate, refusingRule)
  return {
    kind: 'misleading',
    what: `${gate.name}/${rule.id} suggests \`${describeCall(call)}\`, which is refused`,
    clients: context.profile.clients,
    gate: gate.id,
    counterexample: [...transitions, { step: { actor: step.actor, call, ending: 'refused' }, results: [answer] }],
    why: `${refusingGate.slice(refusingGate.indexOf('/') + 1)}/${refusingRule} refuses it in the state in which it is suggested`,
    fix: suggestSuggestionFixes(
      context,
      gate,
      rule,
      toBlockingRule(call, step.actor, { gate: refusingGate, rule: refusingRule, at: location }),
    ),
  }
}
