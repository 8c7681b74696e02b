import type { EventRecord, Gate } from '../../engine/index.ts'

/** What tells whose state of a gate a record is about. */
export type StateOwner = Pick<EventRecord, 'client' | 'session' | 'caller'> & {
  readonly agent?: string
  readonly root?: string
}

/** Whether what one moves is what the other finds: every agent, session or project has its own state of a gate. */
export function hasSharedState({ scope }: Pick<Gate, 'scope'>, one: StateOwner, other: StateOwner): boolean {
  if (scope === 'project') return one.root !== undefined && one.root === other.root
  if (one.client !== other.client || one.session !== other.session) return false
  return scope === 'session' || callerKey(one) === callerKey(other)
}

/** An id tells subagents of one type apart, records without one know the type alone. */
export const callerKey = ({ agent, caller }: Pick<StateOwner, 'agent' | 'caller'>): string =>
  agent === undefined ? `:${caller}` : agent
