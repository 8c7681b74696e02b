import type { Capabilities, Event, EventKind, Outcome, PromptSource } from '../engine/index.ts'
import type { JsonObject } from '../lib/json.ts'
import type { HookOutputResult, HookRun } from './adapter/hook-output.ts'

/** How to recognise an agent on a machine: its settings files, processes and environment variables. */
export interface ClientFootprint {
  readonly title: string
  /** files and folders that decide which hooks run: relative to the project, `~/…` or absolute */
  readonly registrations: readonly string[]
  /** names of its processes: programs, or packages (with a slash) */
  readonly processes: readonly string[]
  /** environment variables it sets for the commands it runs */
  readonly marks?: readonly string[]
  /** environment variable that replaces the folder `from` with another one */
  readonly moves?: { readonly env: string; readonly from: string }
  /**
   * Payloads that only this agent sends; one mark is enough. Some agents also run hooks from another agent's settings, so the `--client`
   * argument can be wrong: the hook then assigns the event to the real sender.
   */
  readonly payloadMarks?: readonly PayloadSignature[]
}

/** What a payload must have, all of it. */
export interface PayloadSignature {
  /** environment variable that the agent sets, where the payload alone is ambiguous */
  readonly env?: string
  /** fields that are texts */
  readonly texts?: readonly string[]
  /** fields that are lists */
  readonly lists?: readonly string[]
  /** the transcript's path */
  readonly transcript?: RegExp
  /** what its fields alone do not show */
  readonly isOwn?: (payload: JsonObject) => boolean
}

/** Which details a client's payloads contain, where that is less than a policy can match. */
export interface PayloadDetails {
  /** MCP tools: `tool`: the server is not named (`mcp__<tool>`); `nothing`: payloads do not show that a tool is an MCP tool */
  readonly mcp?: 'tool' | 'nothing'
  /** a subagent's call is marked as such, but its agent type is missing */
  readonly untyped?: true
  /** possible sources of prompts */
  readonly sources?: readonly PromptSource[]
  /** input fields, by canonical tool name */
  readonly fields?: Readonly<Record<string, readonly string[]>>
  /** the main agent can be started as an agent type, and payloads report that type */
  readonly mainTypes?: true
}

/** What every client folder exports: how to decode payloads, encode replies, and what the agent supports. */
export interface Client extends ClientFootprint {
  /** as given to `--client` */
  readonly id: string
  /** the agent's name in `signalbox orchestrate` */
  readonly backend?: string
  /** why this client has never been tested with the real agent, if that is so */
  readonly unverified?: string
  readonly capabilities: Capabilities
  /** events that it reports but accepts no reply to: they are not in `capabilities`, but transitions still match them */
  readonly eventsWithoutReply?: readonly EventKind[]
  /** its tools have the canonical names; `toolNames` has former names only, or those of other agents */
  readonly hasCanonicalTools?: true
  /** canonical names of tools whose calls raise no event, or that the agent does not have */
  readonly toolsWithoutEvents?: readonly string[]
  /** what its payloads leave out: the verifier generates no event with more details */
  readonly payloadDetails?: PayloadDetails
  /** the tool call that starts a subagent: the tool's own name, and the input field that names the agent */
  readonly spawns: { readonly tool: string; readonly field: string }
  /** the client's tool names → canonical names; identity omitted */
  readonly toolNames: Readonly<Record<string, string>>
  /** the client's event names → canonical kinds; names without a canonical kind are omitted. Absent: it uses the canonical names */
  readonly eventNames?: ReadonlyMap<string, EventKind>
  /** the client's names of the events that a failure can deny: tool calls and permission requests */
  readonly refusable: readonly string[]
  /** event name to assume for `tool.before` when the payload has none */
  readonly unnamed?: string
  /** subagents have their own session ids: `decode` sets the parent session, which may be a subagent's too */
  readonly agentSessions?: true
  /**
   * Transcripts that the client writes while a session runs: the session's own file, and the folder with a file for each subagent, which is
   * there as soon as the subagent runs. They tell a subagent's calls from the main agent's where payloads do not.
   */
  transcriptPathsOf?(payload: JsonObject): { readonly own: string; readonly agents: string } | undefined
  /** an agent's type is reported only when the agent starts: it is stored by agent id for later calls */
  readonly typedAtStart?: true
  /** Without a person to answer, `ask` blocks a call forever. Matches the command-line arguments of a headless run. */
  readonly unattended?: RegExp
  /** the agent runs commands in a login shell, so the user's PATH does not show which programs it finds */
  readonly loginShell?: true
  /** environment variable that names the project folder */
  readonly projectEnv?: string
  /** environment variable that names the project folder in the agent's shell too */
  readonly shellProjectEnv?: string
  /** limits that users should know beyond the capabilities table, one sentence each */
  readonly notes?: readonly string[]
  /**
   * Events of one payload, in order. Tolerant: a field of a wrong type counts as missing. The payload's own event name
   * beats the hint. Throws only `DecodeError`, and only if the event cannot be determined.
   * `call.acts` stays empty: the hook derives the actions from tool and input later.
   */
  decode(payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[]
  /** The shortest reply in the client's format. `outcome` is already lowered to its capabilities; `event`: the payload's first. */
  encode(outcome: Outcome, event: Event, judged?: DecisionMetadata): Reply
  /** Parses the output of a sub-hook: sub-hooks are written for this client and reply in its format. */
  readOutput(ran: HookRun, event: Event): HookOutputResult
  /** The call as the client runs it after a hook rewrote its input. If absent, rewrites are dropped. */
  rewritten?(payload: JsonObject, input: JsonObject): RewrittenCall
  /** Tokens that a subagent run used, if the payload of its end reports them. */
  spent?(payload: JsonObject): TokenUsage | undefined
  /** texts that the client's protocol requires after stored state was lost: for the user, and for a gate that exports its status */
  readonly resetWords?: { readonly message: string; readonly reason: string }
  /** The reply when an event could not be judged. `closed` denies `tool.before` and `permission.request`, nothing else. */
  failure(answer: 'open' | 'closed', event: FailedEvent, why: string): Reply
}

export interface RewrittenCall {
  /** the payload, as if the client had sent the rewritten call */
  readonly payload: JsonObject
  /** the complete rewritten input, in the client's own fields */
  readonly input: JsonObject
}

/** How the decision was made, for protocols that report it; absent if no policy is in force. */
export interface DecisionMetadata {
  readonly tookMs: number
  /** status of the gate that the policy exports: `pending`, `completed`, … */
  readonly status?: string | undefined
}

/** Tokens used, and the model that used them. */
export interface TokenUsage {
  readonly input: number
  readonly output: number
  readonly model?: string
}

/** What is known about an event that could not be judged. */
export interface FailedEvent {
  /** what failed: the payload is invalid, the stored state is unusable, or the deadline passed; absent: anything else */
  readonly cause?: 'input' | 'state' | 'time' | undefined
  /** the client's own event name */
  readonly name?: string | undefined
  readonly kind?: EventKind | undefined
}

/** Output of the hook process. Never exit 1: most clients treat it as an approval. */
export interface Reply {
  readonly exitCode: 0 | 2
  readonly stdout: string
  readonly stderr: string
  /** it denies the event, or lets a person decide */
  readonly refuses?: true
}

export const EMPTY_REPLY: Reply = { exitCode: 0, stdout: '', stderr: '' }

/** The payload does not show which event it is. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
}

/** `why` as the single line that a failure reply prints on stderr. */
export const failureLine = (why: string): string =>
  `signalbox: ${why.replace(/\s+/g, ' ').trim().slice(0, 1000) || 'the reason is unknown'}`
