import type { EvaluationResult } from '../../../engine/index.ts'
import { rulesOf } from '../abstraction/condition-atoms.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { type AgentAction, actionForCall } from '../system/agent-action.ts'
import type { SystemState } from '../system/state-space.ts'

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
  inquiry: AnalysisContext,
  deed: AgentAction,
  state: SystemState,
): ActionRefusal | undefined {
  const isAway = deed.actor !== 'main' && state.liveAgent?.type !== deed.actor
  const spawn = isAway ? inquiry.dependencies.actions.find(one => one.spawns === deed.actor) : undefined
  const refused = (asked: AgentAction, result: EvaluationResult | undefined): ActionRefusal | undefined => {
    const { gate, rule } = result?.record ?? {}
    if (result?.outcome.decision !== 'deny' || gate === undefined || rule === undefined) return undefined
    return { action: asked, gate, rule, at: ruleLocation(inquiry, gate, rule), result }
  }
  const { approvalRequest } = inquiry.dependencies
  // the approval is requested first
  const ordered =
    deed.call?.isApproved && approvalRequest ? actionForCall(approvalRequest, deed.actor, inquiry.profile) : undefined
  const asked = ordered && refused(ordered, inquiry.evaluateAction(ordered, state))
  if (asked) return asked
  const first = refused(spawn ?? deed, inquiry.evaluateAction(spawn ?? deed, state))
  if (first || !spawn) return first
  const moves = inquiry.transitionsOf(deed, state)
  const isRefused = moves.length > 0 && moves.every(one => one.step.ending === 'refused')
  return isRefused ? refused(deed, moves[0]?.results.at(-1)) : undefined
}

export function ruleLocation({ program }: AnalysisContext, gate: string, rule: string): string {
  const found = program.gates.find(one => one.id === gate)
  const said = found && [...rulesOf(found), ...found.transitions].find(one => one.id === rule)
  return said?.at ?? found?.at ?? gate
}

/** Each rule once, with the first action it refuses. */
export const uniqueRules = (refusals: readonly ActionRefusal[]): readonly ActionRefusal[] =>
  [...new Map([...refusals].reverse().map(one => [`${one.gate} ${one.rule}`, one])).values()].reverse()
