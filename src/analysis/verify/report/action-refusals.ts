import type { EvaluationResult } from '../../../engine/index.ts'
import { rulesOf } from '../abstraction/condition-atoms.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { type AgentAction, actionForCall } from '../system/agent-action.ts'
import type { SystemState } from '../system/state/system-state.ts'

/** A rule refuses an action. */
export interface ActionRefusal {
  readonly action: AgentAction
  readonly gate: string
  readonly rule: string
  readonly at: string
  readonly result: EvaluationResult
}

/** The refusal of an action in this state. If its agent has to be spawned first, the refusal of the spawn, or of the action after it. */
export function findRefusal(
  context: AnalysisContext,
  action: AgentAction,
  state: SystemState,
): ActionRefusal | undefined {
  const isAway = action.actor !== 'main' && state.liveAgent?.type !== action.actor
  const spawn = isAway ? context.dependencies.actions.find(other => other.spawns === action.actor) : undefined
  const refused = (asked: AgentAction, result: EvaluationResult | undefined): ActionRefusal | undefined => {
    const { gate, rule } = result?.record ?? {}
    if (result?.outcome.decision !== 'deny' || gate === undefined || rule === undefined) return undefined
    return { action: asked, gate, rule, at: ruleLocation(context, gate, rule), result }
  }
  const { approvalRequest } = context.dependencies
  // the approval is requested first
  const ordered =
    action.call?.isApproved && approvalRequest
      ? actionForCall(approvalRequest, action.actor, context.profile)
      : undefined
  const asked = ordered && refused(ordered, context.evaluateAction(ordered, state))
  if (asked) return asked
  const first = refused(spawn ?? action, context.evaluateAction(spawn ?? action, state))
  if (first || !spawn) return first
  const transitions = context.transitionsOf(action, state)
  const isRefused = transitions.length > 0 && transitions.every(transition => transition.step.ending === 'refused')
  return isRefused ? refused(action, transitions[0]?.results.at(-1)) : undefined
}

export function ruleLocation({ program }: AnalysisContext, gate: string, rule: string): string {
  const found = program.gates.find(other => other.id === gate)
  const part = found && [...rulesOf(found), ...found.transitions].find(one => one.id === rule)
  return part?.at ?? found?.at ?? gate
}

/** Each rule once, with the first action it refuses. */
export const uniqueRules = (refusals: readonly ActionRefusal[]): readonly ActionRefusal[] =>
  [...new Map([...refusals].reverse().map(refusal => [`${refusal.gate} ${refusal.rule}`, refusal])).values()].reverse()
