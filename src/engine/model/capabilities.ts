import type { Decision } from './verdict.ts'
import type { EventKind } from './vocabulary.ts'

/** What a client can be told in answer to one kind of event. */
export interface Capability {
  /** the decisions it understands; `pass` always */
  readonly can: readonly Decision[]
  /** it hands `context` to the agent */
  readonly context?: boolean
  /** it shows `message` to the person */
  readonly message?: boolean
  /** the decisions that can carry a rewritten input */
  readonly rewrites?: readonly Decision[]
}

/** One client's row of the capability table, `docs/clients` is made from it. */
export interface Capabilities {
  readonly events: Readonly<Partial<Record<EventKind, Capability>>>
  /** repeated denials may be cut to their first line */
  readonly shortens: boolean
  /** how a subagent is told from the main agent */
  readonly callers: 'marked' | 'inferred' | 'none'
  /** a finished shell command says how it ended */
  readonly reportsExit: boolean
  /** … and so does any other finished call */
  readonly reportsEnd: boolean
}

export const capabilityOf = (capabilities: Capabilities, kind: EventKind): Capability =>
  capabilities.events[kind] ?? { can: ['pass'] }
