import type { JsonObject } from '../../lib/json.ts'
import type { Action } from './action.ts'
import type { Caller } from './caller.ts'
import type { EventKind, PromptSource } from './vocabulary.ts'

/** How a finished call ended. `unknown`: the client does not say, or it only launched something in the background. */
export type CallStatus = 'succeeded' | 'failed' | 'unknown'

export interface ToolCall {
  /** canonical name (Claude Code's), e.g. `Bash`, `Edit`, `mcp__server__tool` */
  readonly tool: string
  /** the client's own name, where it differs */
  readonly native?: string
  readonly input: JsonObject
  /** ties the end of a call to its beginning: the client's tool-use id, or what stands in for one */
  readonly id?: string
  /** the folder it runs in, where the call itself names one */
  readonly folder?: string
  readonly acts: readonly Action[]
  /** `tool.after`, `tool.failed` */
  readonly status?: CallStatus
}

/** One thing a client told us, in one vocabulary. Made by a client's `decode`, never changed after the facts are in. */
export interface Event {
  readonly kind: EventKind
  /** client id, e.g. as given by `--client` */
  readonly client: string
  /** the client's own event name */
  readonly name: string
  readonly session: string
  /** when the client says it happened, in milliseconds since 1970, where that tells who calls */
  readonly at?: number
  readonly caller: Caller
  readonly cwd?: string
  readonly call?: ToolCall
  readonly prompt?: { readonly text: string; readonly source: PromptSource }
  /** `agent.start`, `agent.stop`: type of the agent that started or stopped */
  readonly agent?: string
  /** `agent.stop`: what the agent said last; `tool.after`: what the tool put out. Captures read it. */
  readonly answer?: string
  /** the end of an agent: the turn in which it began, where the session knows */
  readonly began?: number
  /** `turn.stop`, `agent.stop`: the client says it is already continuing because of a stop hook */
  readonly stopActive?: boolean
  /** where the client gives an identity, a repeat of the same event carries the same one */
  readonly identity?: string
}
