import type { Event, Gate } from '../core/index.ts'

/** Everybody has a memory of it. */
export const isOfEach = ({ scope }: Gate): boolean => scope === 'agent'

/** Of several in flight nobody knows who calls, where callers are inferred. */
export const SOMEBODY = 'unknown'

/** Who does this: the main agent, one whom it spawned, by type, or somebody. */
export const isBy = ({ caller }: Event, who: string): boolean =>
  caller.kind === 'agent' ? (caller.type ?? caller.id) === who : caller.kind === who
