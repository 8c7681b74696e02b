import type { Event, Gate } from '../../../engine/index.ts'

/** Does each agent have its own state of this gate? */
export const isPerAgentGate = ({ scope }: Gate): boolean => scope === 'agent'

/** Caller id when several subagents run and the client does not name the caller. */
export const UNKNOWN_ACTOR = 'unknown'

/** Is the caller the main agent (`main`), an agent of this type, or unknown (`unknown`)? */
export const isCalledBy = ({ caller }: Event, agent: string): boolean =>
  caller.kind === 'agent' ? (caller.type ?? caller.id) === agent : caller.kind === agent
