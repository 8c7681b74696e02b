import { fnv64 } from '../../lib/fnv64.ts'
import { type Json, type JsonObject, jsonText } from '../../lib/json.ts'
import type { Word } from '../match/command-words.ts'
import type { KnownFiles } from '../match/file-state.ts'
import type { PathRef } from '../match/path-ref.ts'
import { canonicalTools } from './canonical-tools.ts'
import type { Verdict } from './verdict.ts'
import type { ActionKind, EventKind, PromptSource } from './vocabulary.ts'

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
  /** why `signalbox run` could not sign how its command ended */
  readonly unsigned?: string | undefined
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
  /** when a subagent of the session last wrote to its transcript, where it helps to infer the caller; 0: never */
  readonly wrote?: number
  readonly cwd?: string
  /** the model, by the client's name for it */
  readonly model?: string
  /** the permission mode, by the client's name for it */
  readonly permissions?: string
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

/** One thing a call does, with its own command, path, url or agent. */
export interface Action {
  readonly action: ActionKind
  /** `run`: the simple command, program first */
  readonly words?: readonly Word[]
  /** `run`: variables set in front of the command or by it; null when the value is unknown */
  readonly assigns?: Readonly<Record<string, string | null>>
  /** `run`: the success of the whole line implies the success of this command */
  readonly implied?: boolean
  /** `run`: the line's status is this command's status, so its failure is implied too */
  readonly decides?: boolean
  /** `run`: the folder that the line changes to before this command, as written; null when it is unknown */
  readonly folder?: string | null
  /** `run`: that folder is unknown, or neither in the project nor the agent's own, so a success proves nothing here */
  readonly elsewhere?: boolean
  /** how the command that this action belongs to ended, by its own report; it overrides the status of the whole call */
  readonly ended?: 'succeeded' | 'failed' | 'unknown'
  /** `run`: a program that Signalbox has a description of and that only reads with these options */
  readonly onlyReads?: boolean
  /** `run`: the line may change what this program does (a function, `make -f`), so its name exempts it from nothing */
  readonly altered?: boolean
  /** the command that makes this action, as it was read; its proof of success may be out of date */
  readonly by?: Action
  /** `run`: the file whose code it runs */
  readonly script?: PathRef
  /** `write`: the content comes from a fetch in the same line; `run`: the code does */
  readonly fetched?: boolean
  /** `read`, `write`, `delete`, `search` */
  readonly place?: PathRef
  /** `write` by a shell line or a patch: the text put into the file, with marks for unknown parts; absent when it is unknown */
  readonly text?: string
  /** `fetch`; null when it is unknown */
  readonly url?: string | null
  /** `spawn` */
  readonly agent?: string
  /** Nothing about this action can be known (an unreadable shell line): every key about the action is unknown. */
  readonly opaque?: boolean
  /** The source text that this action was parsed from, uncut: messages and records shorten it. */
  readonly via?: string
}

const OPAQUE: Action = { action: 'other', opaque: true }

/** A shell line or a patch still has to be parsed by `shell/`, which this folder does not import. */
type ToolActions =
  | { readonly acts: readonly Action[] }
  | { readonly shell: string; readonly background: boolean }
  | { readonly powershell: string }
  | { readonly patch: string }

/** What a call of this canonical tool does. A tool without a description is `other`, or `mcp` by its name. */
export function actionsOfTool(tool: string, input: JsonObject): ToolActions {
  const name = tool.toLowerCase()
  if (canonicalTools.shells.has(name)) return shellLine(name, input)
  if (name === 'applypatch') return typeof input.patch === 'string' ? { patch: input.patch } : { acts: [OPAQUE] }
  const [action, field] = canonicalTools.actions.get(name) ?? [name.startsWith('mcp_') ? 'mcp' : 'other']
  if (field === undefined) return { acts: [{ action }] }
  const objects = [input[field]].flat().map(value => (typeof value === 'string' && value !== '' ? value : null))
  const acts = (objects.length > 0 ? objects : [null]).map(object => actOn(action, object, field === 'include'))
  // it shows one folder, not what is in the folders there
  return {
    acts: name === 'ls' ? acts.map(act => ({ ...act, place: { lexical: null, ...act.place, whole: false } })) : acts,
  }
}

/** PowerShell is not a POSIX shell: its lines are read apart. A Monitor without a command watches a socket. */
function shellLine(name: string, { command, run_in_background }: JsonObject): ToolActions {
  if (typeof command !== 'string') return { acts: [name === 'monitor' ? { action: 'other' } : OPAQUE] }
  if (name === 'powershell') return { powershell: command }
  return { shell: command, background: run_in_background === true || name === 'monitor' }
}

function actOn(action: ActionKind, object: string | null, glob: boolean): Action {
  if (action === 'fetch') return { action, url: object }
  if (action === 'spawn') return object === null ? { action } : { action, agent: object }
  return { action, place: { lexical: action === 'search' ? (object ?? '.') : object, ...(glob && { glob }) } }
}

/** All that an evaluation may know about the machine. Gathered before the transaction; `evaluate` asks for nothing else. */
export interface Facts {
  /** milliseconds since 1970 */
  readonly now: number
  /** only the variables the program names, and what it asks about the repository, the session and the time; null: unknown */
  readonly env: Readonly<Record<string, string | null | undefined>>
  /** the project root, absolute */
  readonly root: string
  readonly home?: string
  /** JSON found in the event's answer: as it stands, and with one wrapping removed */
  readonly parsed?: readonly Json[]
  /** the call carries a valid approval */
  readonly approved?: boolean
  /** whether files of the call are there, by path; only if the policy asks */
  readonly exists?: Readonly<Record<string, boolean>>
  /** the files that the session knows, from the session itself */
  readonly files?: KnownFiles | undefined
  /** replies of the sub-hooks, by layer and position */
  readonly replies?: readonly SubHookReply[]
  /** the call's input as a sub-hook rewrote it; the event was parsed again with it */
  readonly rewrite?: { readonly by: string; readonly input: JsonObject }
}

export interface SubHookReply {
  /** `hook:layer/n` */
  readonly from: string
  readonly verdict: Verdict
  /** how the sub-hook failed, or which part of its reply is not passed on: one line that names the sub-hook */
  readonly problem?: string
}

export const subHookProblems = ({ replies = [] }: Facts): readonly string[] =>
  replies.flatMap(reply => reply.problem ?? [])

/** Ties the end of a call to its beginning: the tool-use id, otherwise caller, tool and input. */
export const callKey = ({ call, caller }: Event): string | undefined =>
  call && (call.id ?? `${callerKey(caller)}|${call.tool}|${fnv64(jsonText(call.input))}`)
