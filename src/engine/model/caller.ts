/**
 * Who makes the call. An agent *id* makes a subagent; a type without an id is the main agent running as that type
 * (`claude --agent reviewer`). A client that marks nothing gives `unknown`.
 */
export type Caller =
  | { kind: 'main'; type?: string }
  | { kind: 'agent'; id: string; type?: string }
  | { kind: 'unknown' }

/** The key under which a caller's state, queue and counts are stored. */
export const callerKey = (caller: Caller): string => (caller.kind === 'agent' ? `agent:${caller.id}` : caller.kind)

export const callerLabel = (caller: Caller): string =>
  caller.kind === 'unknown' ? 'unknown' : (caller.type ?? (caller.kind === 'agent' ? caller.id : 'main'))
