import type { Capabilities, Event, EventKind, Outcome, PromptSource } from '../engine/index.ts'
import type { JsonObject } from '../lib/json.ts'
import type { HookOutputResult, HookRun } from './adapter/hook-output.ts'

/** What an agent leaves on a machine, whoever is being served. */
export interface ClientFootprint {
  readonly title: string
  /** files and folders that decide which hooks run: relative to the project, `~/…` or absolute */
  readonly registrations: readonly string[]
  /** what its processes are called: names of programs, or (with a slash) of packages */
  readonly processes: readonly string[]
  /** variables it sets for the commands it runs */
  readonly marks?: readonly string[]
  /** a variable that names another folder in place of this one */
  readonly moves?: { readonly env: string; readonly from: string }
  /**
   * Did this client send it, whoever the hook was registered for? Some run the hooks of another one's settings: `sender.ts` then gives
   * the event to who sent it. By the payload, and by the environment where that alone could be somebody else's.
   */
  isSender?(payload: JsonObject, env: EnvironmentVariables): boolean
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** What its events say, where that is not all that a policy can ask for. */
export interface PayloadDetails {
  /** of a tool of an MCP server: `tool`: not whose it is (`mcp__<tool>`); `nothing`: that it is one */
  readonly mcp?: 'tool' | 'nothing'
  /** of a call that an agent makes: that it is an agent's, not of which type */
  readonly untyped?: true
  /** where prompts may come from */
  readonly sources?: readonly PromptSource[]
  /** the fields of an input, by canonical name of the tool */
  readonly fields?: Readonly<Record<string, readonly string[]>>
  /** that the main agent is of a type: it can be started as one */
  readonly mainTypes?: true
}

/** What every client folder exports: its words in, its words out, and what it can be told. */
export interface Client extends ClientFootprint {
  /** as given to `--client` */
  readonly id: string
  /** by which name `signalbox orchestrate` gives it a task */
  readonly backend?: string
  /** why nobody has seen it work, where nobody has */
  readonly unverified?: string
  readonly capabilities: Capabilities
  /** what it tells of and takes no answer to, so that it is not in the table: gates hear it all the same */
  readonly unanswered?: readonly EventKind[]
  /** canonical names of its tools that no event tells of */
  readonly untold?: readonly string[]
  /** where its events say less than those of others: the proof makes none that says more */
  readonly says?: PayloadDetails
  /** the call that starts a subagent: the tool's own name, and the field that names the agent */
  readonly spawns: { readonly tool: string; readonly field: string }
  /** the client's tool names → canonical names; identity omitted */
  readonly toolNames: Readonly<Record<string, string>>
  /** its own names of events → what a policy calls them; those of no common meaning omitted. Absent: it has no others */
  readonly eventNames?: ReadonlyMap<string, EventKind>
  /** its own names of the events that a failure refuses: calls, and requests for permission */
  readonly refusable: readonly string[]
  /** what a call that is about to be made is called, where payloads do not say */
  readonly unnamed?: string
  /** its agents have sessions of their own: `decode` gives their parent's, and that may be an agent too */
  readonly agentSessions?: true
  /** an agent's type is told when it starts, and not with its calls: it is remembered by the agent's id */
  readonly typedAtStart?: true
  /** Without a person to answer, `ask` holds a call for ever. Which words of its command line say that nobody is there. */
  readonly unattended?: RegExp
  /** its agent's shell is a login shell: what the person's PATH is does not say what that finds */
  readonly loginShell?: true
  /** environment variable that names the project folder */
  readonly projectEnv?: string
  /** one that does so in the shell of its agent too */
  readonly shellProjectEnv?: string
  /** what a person should know of it beyond the table, a sentence each */
  readonly notes?: readonly string[]
  /**
   * Events of one payload, in order. Tolerant: a field of a wrong type is as if missing. The payload's own event name
   * beats the hint. Throws only `DecodeError`, and only if there is no way to tell what the payload is.
   * `call.acts` is left empty: the runtime reads them from tool and input.
   */
  decode(payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[]
  /** The client's own minimal words for an outcome that was lowered to its capabilities. `event`: the payload's first. */
  encode(outcome: Outcome, event: Event, judged?: DecisionMetadata): Reply
  /** What a person's own hook command said: it was written for this client, and answers in its words. */
  hear(ran: HookRun, event: Event): HookOutputResult
  /** The call as the client runs it after a hook gave it this input. Without it no rewrite is passed on. */
  rewritten?(payload: JsonObject, input: JsonObject): RewrittenCall
  /** What an agent's run took, where the end of its call tells. */
  spent?(payload: JsonObject): TokenUsage | undefined
  /** what its protocol wants to be said when stored state was lost: to the person, and by a gate that tells its status */
  readonly resetWords?: { readonly message: string; readonly reason: string }
  /** The answer when nothing else works. `closed` denies `tool.before` and `permission.request`, nothing else. */
  failure(answer: 'open' | 'closed', event: FailedEvent, why: string): Reply
}

export interface RewrittenCall {
  /** as if the call had come so */
  readonly payload: JsonObject
  /** its input, whole, in the client's own fields */
  readonly input: JsonObject
}

/** How the answer was come by, for protocols that tell; absent where no policy is in force. */
export interface DecisionMetadata {
  readonly tookMs: number
  /** of the gate that the policy exports: `pending`, `completed`, … */
  readonly status?: string | undefined
}

/** Tokens, and the model that took them. */
export interface TokenUsage {
  readonly input: number
  readonly output: number
  readonly model?: string
}

/** What is known of an event that could not be judged. */
export interface FailedEvent {
  /** what failed: the payload was none, the stored state could not be used, or anything else */
  readonly cause?: 'input' | 'state' | 'time' | undefined
  /** the client's own event name */
  readonly name?: string | undefined
  readonly kind?: EventKind | undefined
}

/** What the hook process does. Never exit 1: most clients take it for an approval. */
export interface Reply {
  readonly exitCode: 0 | 2
  readonly stdout: string
  readonly stderr: string
}

export const EMPTY_REPLY: Reply = { exitCode: 0, stdout: '', stderr: '' }

/** The payload does not say what it is. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
}

/** `why` as the one line a last-resort answer puts on stderr. */
export const failureLine = (why: string): string =>
  `signalbox: ${why.replace(/\s+/g, ' ').trim().slice(0, 1000) || 'no reason known'}`
