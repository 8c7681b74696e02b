import type { Gate, Record } from '../core/index.ts'

/** What tells whose state of a gate a record is about. */
export type Whose = Pick<Record, 'client' | 'session' | 'caller'> & { readonly agent?: string; readonly root?: string }

/** Whether what one moves is what the other finds: every agent, session or project has its own state of a gate. */
export function sharesState({ scope }: Pick<Gate, 'scope'>, one: Whose, other: Whose): boolean {
  if (scope === 'project') return one.root !== undefined && one.root === other.root
  if (one.client !== other.client || one.session !== other.session) return false
  return scope === 'session' || whoOf(one) === whoOf(other)
}

/** An id tells subagents of one type apart, records without one know the type alone. */
export const whoOf = ({ agent, caller }: Pick<Whose, 'agent' | 'caller'>): string =>
  agent === undefined ? `:${caller}` : agent
