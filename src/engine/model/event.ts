import type { JsonObject } from '../../lib/json.ts'
import type { Action } from './action.ts'
import type { Caller } from './caller.ts'
import type { EventKind, PromptSource } from './vocabulary.ts'

/** How a finished call ended. `unknown`: the client does not report it, or the call only started something in the background. */
export type CallStatus = 'succeeded' | 'failed' | 'unknown'

export interface ToolCall {
  /** canonical name (Claude Code's), e.g. `Bash`, `Edit`, `mcp__server__tool` */
  readonly tool: string
  /** the client's own name, where it differs */
  readonly native?: string
  readonly input: JsonObject
  /** ties the end of a call to its beginning: the client's tool-use id, or a substitute */
  readonly id?: string
  /** the folder that the call runs in, if the call itself names one */
  readonly folder?: string
  readonly acts: readonly Action[]
  /** `tool.after`, `tool.failed` */
  readonly status?: CallStatus
}

/** One payload in our own vocabulary. Made by a client's `decode`, never changed once the facts are gathered. */
export interface Event {
  readonly kind: EventKind
  /** client id, e.g. as given by `--client` */
  readonly client: string
  /** the client's own event name */
  readonly name: string
  readonly session: string
  /** the client's time of the event, in milliseconds since 1970, where it helps to infer the caller */
  readonly at?: number
  readonly caller: Caller
  readonly cwd?: string
  readonly call?: ToolCall
  readonly prompt?: { readonly text: string; readonly source: PromptSource }
  /** `agent.start`, `agent.stop`: type of the agent that started or stopped */
  readonly agent?: string
  /** `agent.stop`: the agent's last message; `tool.after`: the tool's output. Captures read it. */
  readonly answer?: string
  /** at the end of an agent: the turn in which it began, if the session knows it */
  readonly began?: number
  /** `turn.stop`, `agent.stop`: the client says it is already continuing because of a stop hook */
  readonly stopActive?: boolean
  /** the client's id of the event, if it has one: a repeat of the same event has the same id */
  readonly identity?: string
}
