import type { Decision } from './verdict.ts'
import type { EventKind } from './vocabulary.ts'

/** What a client accepts in the reply to one kind of event. */
export interface Capability {
  /** the decisions that the client understands; `pass` is always understood */
  readonly can: readonly Decision[]
  /** the client hands `context` to the agent */
  readonly context?: boolean
  /** the client shows `message` to the person */
  readonly message?: boolean
  /** the decisions that can carry a rewritten input */
  readonly rewrites?: readonly Decision[]
}

/** One client's row of the capability table; `docs/clients` is generated from it. */
export interface Capabilities {
  readonly events: Readonly<Partial<Record<EventKind, Capability>>>
  /** repeated denials may be cut to their first line */
  readonly shortens: boolean
  /** how a subagent is distinguished from the main agent */
  readonly callers: 'marked' | 'inferred' | 'none'
  /** the client reports how a finished shell command ended */
  readonly reportsExit: boolean
  /** the client reports how any other finished call ended */
  readonly reportsEnd: boolean
}

export const capabilityOf = (capabilities: Capabilities, kind: EventKind): Capability =>
  capabilities.events[kind] ?? { can: ['pass'] }
