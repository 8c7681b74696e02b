import type { Event, Gate } from '../../../engine/index.ts'

/** Everybody has a memory of it. */
export const isPerAgentGate = ({ scope }: Gate): boolean => scope === 'agent'

/** Of several in flight nobody knows who calls, where callers are inferred. */
export const UNKNOWN_ACTOR = 'unknown'

/** Who does this: the main agent, one whom it spawned, by type, or somebody. */
export const isCalledBy = ({ caller }: Event, who: string): boolean =>
  caller.kind === 'agent' ? (caller.type ?? caller.id) === who : caller.kind === who
