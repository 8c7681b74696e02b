import type { Client } from '../../clients/index.ts'
import type { Event } from '../../engine/index.ts'
import type { Store } from '../../store/index.ts'

const BELONGS = 'belongs to'
/** longer than any agent runs */
const KEPT_MS = 7 * 86_400_000

interface Told {
  readonly client: Client
  readonly now: number
}

/**
 * Moves events into the main agent's session. Where subagents have their own sessions, each names its parent session. For nested subagents
 * that is not enough, so the store keeps each agent's main session. If the store fails, events stay in the parent's.
 */
export function resolveAgentSession(events: readonly Event[], { client, now }: Told, store: Store): readonly Event[] {
  const [first] = events
  if (!client.agentSessions || first?.caller.kind !== 'agent') return events
  const kept = (id: string) => store.claim({ client: client.id, session: id }, BELONGS)?.session
  const { id } = first.caller
  try {
    const above = kept(first.session)
    const session = typeof above === 'string' ? above : first.session
    if (id !== session && kept(id) !== session)
      store.claim({ client: client.id, session: id }, BELONGS, () => ({ until: now + KEPT_MS, session }))
    return events.map(event => ({ ...event, session }))
  } catch {
    return events
  }
}
