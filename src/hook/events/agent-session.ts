import type { Client } from '../../clients/index.ts'
import type { Event } from '../../engine/index.ts'
import type { Store } from '../../store/index.ts'

const BELONGS = 'belongs to'
/** longer than an agent lives */
const KEPT_MS = 7 * 86_400_000

interface Told {
  readonly client: Client
  readonly now: number
}

/**
 * The events in the session of the main agent. Where agents have sessions of their own, each says whose child it is; of an agent's agent
 * that is not enough, so it is kept which session an agent was seen to belong to. What cannot be stored stays with the parent.
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
