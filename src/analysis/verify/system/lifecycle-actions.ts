import type { Event } from '../../../engine/index.ts'
import type { SamplePrompt } from '../abstraction/input-partitioning/prompt-classes.ts'
import type { AgentAction } from './agent-action.ts'
import type { ClientProfile } from './client-profile.ts'

/** A subagent stops. */
export function stopAction(agent: string, profile: ClientProfile): AgentAction {
  const event: Event = {
    ...{ kind: 'agent.stop', client: 'proof', name: 'stops', session: 'proof' },
    ...{ caller: { kind: 'agent', id: agent, type: agent }, agent },
  }
  const start: Event = { ...event, kind: 'agent.start' }
  return { actor: agent, events: [event, ...(profile.sendsEvent(start.kind) ? [start] : [])], key: `${agent} stops` }
}

/** A prompt, as the action of a person. */
export function promptAction(prompt: SamplePrompt): AgentAction {
  const event: Event = {
    ...{ kind: 'prompt.submit', client: 'proof', name: 'prompt', session: 'proof', caller: { kind: 'main' } },
    prompt,
  }
  return { actor: 'person', events: [event], key: `person ${JSON.stringify(prompt)}` }
}

const TURN_STOP_EVENT: Event = {
  kind: 'turn.stop',
  client: 'proof',
  name: 'stop',
  session: 'proof',
  caller: { kind: 'main' },
}
export const TURN_END_ACTION: AgentAction = { actor: 'main', events: [TURN_STOP_EVENT], key: 'the turn ends' }
