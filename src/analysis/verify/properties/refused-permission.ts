import type { Gate } from '../../../engine/index.ts'
import { rulesOf } from '../abstraction/condition-atoms.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { ruleLocation } from '../report/action-refusals.ts'
import { describeAction } from '../report/descriptions.ts'
import type { VerificationFinding } from '../report/finding.ts'
import { type AgentAction, mayRuleRefuse } from '../system/agent-action.ts'

/**
 * Whether a client sends a permission request before a call runs depends on a person's settings. If rules refuse the request of every
 * action that opens a gate, it is not certain that the gate can be opened.
 */
export function findRefusedPermission(context: AnalysisContext, gate: Gate): readonly VerificationFinding[] {
  const openers = gate.initial === undefined || gate.opens === 'human' ? [] : context.dependencies.movers(gate, 'open')
  const refused = openers.flatMap(action => findPermissionRefusal(context, gate, action) ?? [])
  const [first] = refused
  if (!first || refused.length < openers.length) return []
  return [
    {
      kind: 'deadlock',
      what: `${gate.name} may be closed with no way left to open it`,
      ...{ clients: context.profile.clients, gate: gate.id, counterexample: [] },
      why: `${gate.name} needs \`${first.words}\`, and ${first.name} refuses that once it asks for permission`,
      inconclusiveReason: 'whether a client asks for permission is up to its settings',
      fix: [{ at: first.at, advice: `let \`${first.words}\` pass (\`unless\`)` }],
    },
  ]
}

/** The rule that refuses the permission request while the gate is closed, in any state of other gates. */
function findPermissionRefusal(context: AnalysisContext, closed: Gate, action: AgentAction) {
  const { mayMust, profile, program } = context
  const request = action.events.find(({ kind }) => kind === 'permission.request')
  if (!request || !profile.canRefuse('permission.request')) return undefined
  const known = mayMust.withKnownStates(new Map([[closed.id, 'closed' as const]]))
  for (const gate of program.gates) {
    if (gate.mode !== 'block') continue
    const rule = rulesOf(gate).find(
      rule =>
        (rule.while === undefined || (gate === closed && rule.while === 'closed')) &&
        rule.limit === undefined &&
        mayRuleRefuse(rule, request, known, profile, action.call?.isApproved),
    )
    if (rule)
      return {
        words: describeAction(action),
        name: `${gate.name}/${rule.id}`,
        at: ruleLocation(context, gate.id, rule.id),
      }
  }
  return undefined
}
