import type { JsonObject } from '../../lib/json.ts'
import type { Word } from '../match/command-words.ts'
import type { EventKind } from './vocabulary.ts'

export const DECISIONS = ['pass', 'allow', 'ask', 'deny'] as const // least to most strict
export type Decision = (typeof DECISIONS)[number]

/** What one gate or sub-hook decides about one event. The type requires a reason for every decision but `pass`. */
export type Verdict = (
  | { readonly decision: 'pass' }
  | { readonly decision: 'allow' | 'ask' | 'deny'; readonly reason: string }
) & {
  /** for the agent */
  readonly context?: string
  /** for the person */
  readonly message?: string
  readonly continue?: boolean
  readonly suppressOutput?: boolean
}

/** The merged decision about one event, before a client encodes it as a reply. */
export interface Outcome {
  readonly decision: Decision
  /** why, for the agent (deny) or the person (ask); empty with `pass` */
  readonly reason: string
  /** for the agent */
  readonly context: string
  /** for the person */
  readonly message: string
  readonly continue: boolean
  readonly suppressOutput: boolean
  /** the call's whole input as a sub-hook rewrote it */
  readonly input?: JsonObject
}

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

/** What to do instead: a shell line, an agent to spawn (one of several), a tool to call. */
export type Suggestion =
  | string
  | OpeningLine
  | { readonly agent: string | readonly string[] }
  | {
      readonly tool: string
      readonly path?: string
      /** the tool's name in clients that call it differently */
      readonly names?: Readonly<Record<string, string>>
    }

/** The words of a suggested line, which must be a simple command. */
export const suggestedWords = (line: string): readonly Word[] =>
  line
    .split(/\s+/)
    .filter(Boolean)
    .map(text => ({ text, role: text.startsWith('-') ? 'option' : 'plain' }))

/** The line hands the work to a session that has an approval. */
export const requestsApproval = (line: string): boolean => /^signalbox\s+orchestrate(\s|$)/.test(line)

/** A shell line whose success opens a gate, and the clients that do not report how a call ended. */
interface OpeningLine {
  readonly line: string
  readonly silent: readonly string[]
}
