import type { Client } from '../../clients/index.ts'
import type { Event } from '../../engine/index.ts'
import type { Store } from '../../store/index.ts'
import { resolveAgentSession } from './agent-session.ts'

/** longer than any agent runs */
const KEPT_MS = 7 * 86_400_000

interface Told {
  readonly client: Client
  readonly now: number
}

/** Adds what only earlier events reveal about the calling agent: the session it belongs to, and its type. */
export const withAgentIdentity = (events: readonly Event[], told: Told, store: Store): readonly Event[] =>
  withTypes(resolveAgentSession(events, told, store), told, store)

/** Adds the caller's type, if the client reports it only when an agent starts. If the store fails, the event stays unchanged. */
function withTypes(events: readonly Event[], { client, now }: Told, store: Store): readonly Event[] {
  if (!client.typedAtStart) return events
  return events.map(event => {
    const { kind, caller, agent } = event
    if (caller.kind !== 'agent') return event
    const key = { client: client.id, session: event.session }
    const name = `type of ${caller.id}`
    try {
      if (kind === 'agent.start' && agent) store.claim(key, name, () => ({ until: now + KEPT_MS, type: agent }))
      const type = agent ?? store.claim(key, name)?.type
      return typeof type === 'string' ? { ...event, caller: { ...caller, type } } : event
    } catch {
      return event
    }
  })
}
