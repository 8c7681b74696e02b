import type { Event } from '../../../engine/index.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { type AgentAction, actionForCall } from '../system/agent-action.ts'
import type { ClientProfile } from '../system/client-profile.ts'

/** An action with such an event that this client cannot send, or that it reports with less information. */
export function findUnsendableCall(
  { allCalls, agents, profile }: AnalysisContext,
  isIt: (event: Event, approved?: boolean) => boolean,
): AgentAction | undefined {
  const typed: ClientProfile = { ...profile, omitsAgentTypes: false, reportsStatus: () => true }
  for (const call of allCalls)
    for (const actor of ['main', ...agents]) {
      const action = actionForCall(call, actor, typed)
      if (action.events.some(event => isIt(event, call.isApproved))) return action
    }
  return undefined
}
