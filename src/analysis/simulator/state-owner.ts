import type { EventRecord, Gate } from '../../engine/index.ts'

/** The fields of a record that identify whose gate state it refers to. */
export type StateOwner = Pick<EventRecord, 'client' | 'session' | 'caller'> & {
  readonly agent?: string
  readonly root?: string
}

/** Whether both records refer to the same state: depending on its scope, a gate has one per agent, session or project. */
export function isSameGateState({ scope }: Pick<Gate, 'scope'>, one: StateOwner, other: StateOwner): boolean {
  if (scope === 'project') return one.root !== undefined && one.root === other.root
  if (one.client !== other.client || one.session !== other.session) return false
  return scope === 'session' || callerKey(one) === callerKey(other)
}

/** Identifies the caller by agent id where the record has one, since subagents can share a type; else by its label. */
export const callerKey = ({ agent, caller }: Pick<StateOwner, 'agent' | 'caller'>): string =>
  agent === undefined ? `:${caller}` : agent
