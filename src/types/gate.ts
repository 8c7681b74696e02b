/**
 * Public types of gates in code. They are written by hand and import nothing, so that names inside Signalbox can change
 * without changing the API.
 */

/** What an event is about. */
export type EventKind =
  | 'session.start'
  | 'session.end'
  | 'prompt.submit'
  | 'tool.before'
  | 'tool.after'
  | 'tool.failed'
  | 'permission.request'
  | 'agent.start'
  | 'agent.stop'
  | 'turn.stop'
  | 'compact.before'
  | 'notification'
  | 'other'

/** Event kinds that carry a tool call. */
export type ToolEventKind = 'tool.before' | 'tool.after' | 'tool.failed' | 'permission.request'

/** What one action of a tool call does. */
export type ActionKind =
  | 'run'
  | 'read'
  | 'write'
  | 'delete'
  | 'fetch'
  | 'search'
  | 'spawn'
  | 'ask'
  | 'coordinate'
  | 'mcp'
  | 'other'

/**
 * One thing that a tool call does. A shell line can be several actions.
 *
 * @example
 * // `git add . && git push` has two actions:
 * // { kind: 'run', command: 'git add .', words: ['git', 'add', '.'], isOpaque: false }
 * // { kind: 'run', command: 'git push', words: ['git', 'push'], isOpaque: false }
 */
export interface Action {
  readonly kind: ActionKind
  /** `run`: the simple command as text. A word that only the shell could know is `…`. */
  readonly command?: string
  /** `run`: the words of the command, program first. `null`: only running the shell could determine the word (`$X`). */
  readonly words?: readonly (string | null)[]
  /** `read`, `write`, `delete`, `search`: the absolute path. `null`: it cannot be known. */
  readonly path?: string | null
  /** The same path with symbolic links resolved, where that is another path. */
  readonly realPath?: string
  /** `fetch`: the URL. `null`: it cannot be known. */
  readonly url?: string | null
  /** `spawn`: the type of the agent. */
  readonly agent?: string
  /** Nothing about this action can be known, for example because the shell line cannot be parsed. Do not treat it as harmless. */
  readonly isOpaque: boolean
}

/** How a finished call ended. `unknown`: the agent does not report it, or the command still runs in the background. */
export type CallStatus = 'succeeded' | 'failed' | 'unknown'

/**
 * A call of one of the agent's tools.
 *
 * @example
 * event.call.actions.some(action => action.kind === 'write')
 */
export interface ToolCall {
  /** The tool's name in Claude Code's vocabulary, for every agent: `Bash`, `Edit`, `mcp__server__tool`. */
  readonly tool: string
  /** The agent's own name of the tool, where it differs. */
  readonly nativeTool?: string
  /** The tool's input. */
  readonly input: Readonly<Record<string, unknown>>
  /** Everything the call does. */
  readonly actions: readonly Action[]
  /** Connects the end of a call with its beginning. */
  readonly id?: string
  /** `tool.after`, `tool.failed`: how it ended. */
  readonly status?: CallStatus
}

/**
 * Who makes a call: the main agent, a subagent with an id, or `unknown` where the agent does not say.
 *
 * @example
 * // { kind: 'agent', id: 'a1b2', type: 'reviewer' }
 */
export interface Caller {
  readonly kind: 'main' | 'agent' | 'unknown'
  /** Subagents only. */
  readonly id?: string
  /** The type of the agent, for example `reviewer`. */
  readonly type?: string
}

/** What every event has. */
export interface BaseEvent<Kind extends EventKind> {
  readonly kind: Kind
  /** Id of the agent's adapter, for example `claude-code`. */
  readonly client: string
  /** The agent's own name of the event, for example `PreToolUse`. */
  readonly name: string
  /** Id of the session. */
  readonly session: string
  readonly caller: Caller
  /** The folder the agent works in. */
  readonly cwd?: string
}

/** A tool call, before or after it runs. */
export interface ToolEvent<Kind extends ToolEventKind = ToolEventKind> extends BaseEvent<Kind> {
  readonly call: ToolCall
  /** `tool.after`: what the tool returned, where the agent reports it. */
  readonly output?: string
}

/** A prompt. */
export interface PromptEvent extends BaseEvent<'prompt.submit'> {
  readonly prompt: { readonly text: string; readonly source: 'user' | 'command' | 'system' | 'agent' }
}

/** A subagent that starts or stops. */
export interface AgentEvent<Kind extends 'agent.start' | 'agent.stop' = 'agent.start' | 'agent.stop'>
  extends BaseEvent<Kind> {
  /** The type of the agent, for example `reviewer`. */
  readonly agent?: string
  /** `agent.stop`: the agent's last message, where it is known. */
  readonly answer?: string
}

/** The event type for each event kind. */
export interface EventMap {
  'session.start': BaseEvent<'session.start'>
  'session.end': BaseEvent<'session.end'>
  'prompt.submit': PromptEvent
  'tool.before': ToolEvent<'tool.before'>
  'tool.after': ToolEvent<'tool.after'>
  'tool.failed': ToolEvent<'tool.failed'>
  'permission.request': ToolEvent<'permission.request'>
  'agent.start': AgentEvent<'agent.start'>
  'agent.stop': AgentEvent<'agent.stop'>
  'turn.stop': BaseEvent<'turn.stop'>
  'compact.before': BaseEvent<'compact.before'>
  notification: BaseEvent<'notification'>
  other: BaseEvent<'other'>
}

/**
 * Any event. Narrow it by `kind`, or let `defineGate({ on })` do it.
 *
 * @example
 * if (event.kind === 'prompt.submit') console.error(event.prompt.text)
 */
export type GateEvent = EventMap[EventKind]

/** Whether a gate lets work through. */
export type GateState = 'open' | 'closed'

/** When something happened to a gate. */
export interface GateTimestamp {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Number of the session's turn. */
  readonly turn: number
  /** The gate's own counter at that time. */
  readonly operations: number
}

/**
 * A copy of the gate's state at the time of the event.
 *
 * @example
 * judge: (event, state) => (state.operations > 100 ? ask('Over a hundred calls. Go on?') : pass())
 */
export interface GateSnapshot {
  readonly state: GateState
  /** How many events the gate has counted with `counts`. */
  readonly operations: number
  /** When the state last changed. */
  readonly changed: GateTimestamp
  readonly opened?: GateTimestamp
  readonly closed?: GateTimestamp
  /** Values that transitions captured, by name. */
  readonly captured?: Readonly<Record<string, unknown>>
}

/** The decision that an agent gets. `pass`: no opinion; the agent's own permission prompts work as without Signalbox. */
export type Decision = 'pass' | 'allow' | 'ask' | 'deny'

/** Texts that can go with every verdict. */
export interface VerdictTexts {
  /** Added to what the agent knows. */
  readonly context?: string
  /** Shown to the person. */
  readonly message?: string
}

/**
 * What one gate decides about one event. Make one with `deny`, `ask`, `allow` or `pass`.
 *
 * @example
 * const verdict: Verdict = { decision: 'deny', reason: 'Run `npm test` first.' }
 */
export type Verdict = VerdictTexts &
  (
    | { readonly decision: 'pass' }
    | {
        readonly decision: 'allow' | 'ask' | 'deny'
        /** Why, for the agent (`deny`) or the person (`ask`). */
        readonly reason: string
      }
  )

/**
 * What you pass to `defineGate`.
 *
 * @example
 * defineGate({ on: ['tool.before', 'permission.request'], judge: event => deny(event.call.tool) })
 */
export interface GateDefinition<Kind extends EventKind = EventKind> {
  /** The event kinds that the gate judges; it passes all others. Without it the gate judges every event. */
  readonly on?: Kind | readonly Kind[]
  /** Judges one event. It must return at once, not with a promise. */
  judge(event: EventMap[Kind], state: GateSnapshot): Verdict
}

/**
 * A gate in code: the default export of the module that a policy names with `code`.
 *
 * @example
 * // `gate` is the default export of release-by-ci.mjs
 * policyFile('signalbox.yaml', { code: { 'release-by-ci': gate } })
 */
export interface CodeGate {
  judge(event: GateEvent, state: GateSnapshot): Verdict
}
